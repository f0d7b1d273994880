// What the build writes into the service worker.

/** The version of the build that the worker comes with. */
declare const BUILD: string;

/** The headers that isolate pages, as other hosts are told to send them. */
declare const ISOLATION: Record<string, string>;

/** The page that is shown in place of one that is not kept, below the site's address. */
declare const EXPLANATION: string;
