// Packs files as they will travel, each beside itself. Usage: node pack.mjs QUALITY FILE...
// QUALITY: of brotli, up to 11.
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
const [quality, ...paths] = process.argv.slice(2);
const packings = {
  brotli: (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [BROTLI_PARAM_QUALITY]: Number(quality),
        [BROTLI_PARAM_LGWIN]: 24,
        [BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content) => promisify(gzip)(content, { level: 9 }),
};

await Promise.all(
  paths.flatMap((path) =>
    Object.entries(packings).map(async ([packing, pack]) => {
      writeFileSync(`${path}.${packing}`, await pack(readFileSync(path)));
    }),
  ),
);
