// What a start takes, counted in the page itself and for all sides alike.
// click: what a reader presses, by its selector; null: the side runs by itself. output: where the
// result stands once the run has ended. expected: what has to stand there. limit: milliseconds that
// anything may take.
window.prepareBench = ({ click, output, expected, limit }) => {
  const frame = () => new Promise(requestAnimationFrame);
  const until = async (condition) => {
    const end = performance.now() + limit;
    while (!condition()) {
      if (performance.now() > end) throw new Error(`no result: ${text().slice(-200)}`);
      await frame();
    }
  };
  const button = () => document.querySelector(click);
  const text = () =>
    [...document.querySelectorAll(output)]
      .map((one) => one.textContent)
      .join(" ")
      .replace(/\s+/g, " ");
  const shown = () => text().includes(expected);

  /** The time at which the result has been painted: a frame after the one that finds it there. */
  const painted = async () => {
    await until(shown);
    await frame();
    return performance.now();
  };

  const runAgain = () =>
    new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error("no second result")), limit);
      const start = performance.now();
      let gone = false;
      const look = () => {
        if (!shown()) gone = true;
        else if (gone) {
          watch.disconnect();
          resolve(performance.now() - start);
        }
      };
      const watch = new MutationObserver(look);
      const all = { subtree: true, childList: true, characterData: true, attributes: true };
      watch.observe(document.documentElement, all);
      button().click();
      look();
    });

  window.bench = {
    text,

    /** Milliseconds from the navigation on; what is to be pressed is pressed as soon as it is there. */
    async fromNavigation() {
      if (click) {
        await until(button);
        button().click();
      }
      return painted();
    },

    /** Milliseconds from a click on. before: what is pressed first, counted too. */
    async fromClick(before) {
      await until(button);
      const start = performance.now();
      before?.();
      button().click();
      await until(() => !shown());
      return (await painted()) - start;
    },

    /** Milliseconds of each of many runs of the same code, until the new result stands there. */
    async again(times) {
      const found = [];
      while (found.length < times) found.push(await runAgain());
      return found;
    },
  };
};
