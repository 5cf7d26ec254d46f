// Bundles the page into one HTML file and writes it, compressed, as C++:   node web/build.mjs OUTPUT.cpp
// The hashes of its script and style are what the server's Content-Security-Policy allows, nothing else.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

// The editor of cases is a script of its own, which the page loads when it is needed.
const here = dirname(fileURLToPath(import.meta.url));
const most = 350_000; // bytes, compressed

// three.js by its modules, of which those fall away that nothing uses. Of the shaders that it brings only those stay, without
// their comments, that lines around walls include: our materials have shaders of their own. Modules that its renderer names
// and the page never needs are replaced: headsets, shadows, and what belongs to surfaces that mirror their surroundings.
const three = join(here, 'node_modules/three/src');
const stubs = {
  'extras/PMREMGenerator.js': 'export class PMREMGenerator {}',
  'renderers/shaders/DFGLUTData.js': 'export const getDFGLUT = () => null;',
  'renderers/webgl/WebGLShadowMap.js': 'export class WebGLShadowMap { render() {} }',
  'renderers/webxr/WebXRManager.js': `import { EventDispatcher } from '../../core/EventDispatcher.js';
    export class WebXRManager extends EventDispatcher {
      enabled = false;
      isPresenting = false;
      getEnvironmentBlendMode() {}
      setAnimationLoop() {}
      dispose() {}
    }`,
};
const shadersInUse = () => {
  const used = new Set(), waiting = ['ShaderLib/meshbasic', 'ShaderChunk/tonemapping_pars_fragment', 'ShaderChunk/colorspace_pars_fragment'];
  while (waiting.length) {
    const name = waiting.pop();
    if (used.has(name)) continue;
    used.add(name);
    const source = readFileSync(join(three, `renderers/shaders/${name}.glsl.js`), 'utf8');
    for (const [, chunk] of source.matchAll(/#include <(\w+)>/g)) waiting.push(`ShaderChunk/${chunk}`);
  }
  return used;
};
const lessOfThree = {
  name: 'less-of-three',
  setup(bundle) {
    const used = shadersInUse();
    const bare = (text) => text.trim().replace(/[ \t]*\/\/.*\n/g, '').replace(/[ \t]*\/\*[\s\S]*?\*\//g, '').replace(/\n{2,}/g, '\n');
    bundle.onLoad({ filter: /\.glsl\.js$/ }, ({ path }) => {
      const name = path.split(sep).slice(-2).join('/').replace('.glsl.js', '');
      return { contents: readFileSync(path, 'utf8').replace(/`([^`]*)`/g, (_, text) => JSON.stringify(used.has(name) ? bare(text) : '')) };
    });
    for (const [name, contents] of Object.entries(stubs)) {
      readFileSync(join(three, name)); // it is there
      bundle.onLoad({ filter: new RegExp(`/${name.replaceAll('.', '\\.')}$`) }, () => ({ contents, resolveDir: dirname(join(three, name)) }));
    }
  },
};

const { outputFiles } = await build({
  plugins: [lessOfThree], alias: { three: join(three, 'Three.js') },
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
