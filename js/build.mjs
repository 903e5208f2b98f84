// Builds the front end into the Python package. `--serve` offers the dev page instead and rebuilds as files change.
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const outdir = join(here, "..", "soluna_widget", "static");
const common = { bundle: true, format: "esm", target: "es2022", absWorkingDir: here, logLevel: "info" };

if (process.argv.includes("--serve")) {
  const context = await esbuild.context({
    ...common,
    entryPoints: { page: "dev/page.ts", widget: "src/style.css" },
    outdir: "dev",
    write: false,
    sourcemap: "inline",
  });
  const { port } = await context.serve({ servedir: "dev", host: "127.0.0.1", port: 8123 });
  console.log(`http://127.0.0.1:${port}/`);
} else {
  await mkdir(outdir, { recursive: true });
  await esbuild.build({
    ...common,
    entryPoints: { widget: "src/index.ts" },
    outdir,
    minify: true,
    legalComments: "none",
  });
  await esbuild.build({
    ...common,
    entryPoints: { widget: "src/style.css" },
    outdir,
    minify: true,
  });
  const sizes = await Promise.all(
    ["widget.js", "widget.css"].map(async (name) => gzipSync(await readFile(join(outdir, name)), { level: 9 }).length),
  );
  console.log(`gzipped: ${sizes.join(" + ")} = ${sizes.reduce((a, b) => a + b)} bytes`);
}
