// Bundles the page into one HTML file and writes it, compressed, as C++:   node web/build.mjs OUTPUT.cpp
// The hashes of its script and style are what the server's Content-Security-Policy allows, nothing else.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

// The editor of cases is a script of its own, which the page loads when it is needed.
const here = dirname(fileURLToPath(import.meta.url));
const most = 350_000; // bytes, compressed

// Our materials have shaders of their own, but for the lines around walls. Of the shaders that three.js brings only those
// stay that such lines include: the others are a tenth of the page.
const shadersInUse = {
  name: 'shaders-in-use',
  setup(bundle) {
    bundle.onLoad({ filter: /three\.module\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const table = source.match(/const ShaderChunk = \{([^}]*)\}/)[1];
      const variableOf = new Map([...table.matchAll(/(\w+): ([\w$]+)/g)].map(([, name, variable]) => [name, variable]));
      const textOf = new Map([...source.matchAll(/^(?:var|const) ([\w$]+) = ("(?:[^"\\\n]|\\.)*");$/gm)].map(([, variable, text]) => [variable, text]));
      const used = new Set(), waiting = ['meshbasic_vert', 'meshbasic_frag', 'tonemapping_pars_fragment', 'colorspace_pars_fragment'];
      while (waiting.length) {
        const variable = variableOf.get(waiting.pop());
        if (!textOf.has(variable)) throw new Error('three.js has its shaders elsewhere: build.mjs no longer knows which are in use');
        if (used.has(variable)) continue;
        used.add(variable);
        for (const [, name] of textOf.get(variable).matchAll(/#include <(\w+)>/g)) waiting.push(name);
      }
      const unused = new Set([...variableOf.values()].filter((variable) => !used.has(variable)));
      const contents = source.replace(/^(?:var|const) ([\w$]+) = "(?:[^"\\\n]|\\.)*";$/gm, (whole, variable) => (unused.has(variable) ? `var ${variable} = "";` : whole));
      return { contents, loader: 'js' };
    });
  },
};

const { outputFiles } = await build({
  plugins: [shadersInUse],
  entryPoints: [join(here, 'src/main.tsx'), join(here, 'src/code_editor.ts')],
  bundle: true, minify: true, write: false, outdir: 'out', legalComments: 'none',
  format: 'iife', target: 'es2022', jsx: 'automatic', jsxImportSource: 'preact', loader: { '.css': 'css' },
});
const text = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text;
// within a script no `</script` may stand, and `$` is nothing special to the replacement
const script = text('main.js').trim().replaceAll('</script', '<\\/script'), style = text('.css').trim();
const html = readFileSync(join(here, 'src/page.html'), 'utf8')
  .replace('/*STYLE*/', () => style).replace('/*SCRIPT*/', () => script);
const hash = (part) => 'sha256-' + createHash('sha256').update(part).digest('base64');
const packed = gzipSync(html, { level: 9 });
const editor = text('code_editor.js').trim();
const packedEditor = gzipSync(editor, { level: 9 });
const all = packed.length + packedEditor.length;
if (all > most) throw new Error(`page and editor have ${all} bytes compressed, more than ${most}`);

const literal = (bytes) => {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 64)
    lines.push('    "' + [...bytes.subarray(at, at + 64)].map((b) => '\\' + b.toString(8).padStart(3, '0')).join('') + '"');
  return lines.join('\n');
};
const [output] = process.argv.slice(2);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, `// Made by web/build.mjs: ${packed.length} bytes, and ${packedEditor.length} of the editor.
#include "studio/page.h"

namespace areia::studio {

Page studio_page() {
  static constexpr char kPage[] =
${literal(packed)};
  static constexpr char kEditor[] =
${literal(packedEditor)};
  return {{kPage, ${packed.length}}, {kEditor, ${packedEditor.length}}, "${hash(script)}", "${hash(editor)}", "${hash(style)}"};
}

}  // namespace areia::studio
`);
