// Packs a file as small as brotli can. Usage: node brotli.mjs FILE TARGET
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const [file, target] = process.argv.slice(2);
const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
writeFileSync(target, brotliCompressSync(readFileSync(file), { params }));
