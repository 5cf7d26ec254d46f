// The editor of case texts, around CodeMirror: a script of its own, which the page loads when a case is opened. It knows
// TOML by its colours only; what stands where is asked from the page.
import { autocompletion, type Completion } from '@codemirror/autocomplete';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';

export interface EditorOptions {
  holder: HTMLElement;
  text: string;
  label: string;
  dark: boolean;
  phrases: Record<string, string>;
  changed(text: string): void;
  save(): void;
  run(): void;
  complete(text: string, position: number): { from: number; choices: { label: string; apply: string; detail: string }[] } | null;
  hint(text: string, position: number): { from: number; to: number; lines: string[] } | null;
}
export interface Mark {
  from: number;
  to: number;
  message: string;
  severity: 'error' | 'warning';
}
export interface Editor {
  replace(from: number, to: number, text: string): void;
  setMarks(marks: Mark[]): void;
  setLook(dark: boolean, phrases: Record<string, string>, label: string): void;
  goTo(position: number): void;
  destroy(): void;
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.atom], color: 'var(--busy)' },
  { tag: tags.propertyName, color: 'var(--ink)' },
  { tag: [tags.bracket, tags.heading], color: 'var(--accent)', fontWeight: '600' },
]);
const look = {
  '&': { height: '100%', backgroundColor: 'var(--paper)', color: 'var(--ink)', fontSize: '13.5px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace', lineHeight: '1.5' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-tooltip': { backgroundColor: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '6px', maxWidth: '32rem' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--paper)' },
  '.cm-hint': { padding: '0.4rem 0.7rem', fontFamily: 'system-ui, sans-serif' },
  '.cm-hint p': { margin: '0.1rem 0' },
  '.cm-hint p:first-child': { fontWeight: '600', fontFamily: 'ui-monospace, monospace' },
  '.cm-diagnostic': { fontFamily: 'system-ui, sans-serif', padding: '0.4rem 0.7rem' },
  '.cm-panels': { backgroundColor: 'var(--ground)', color: 'var(--ink)' },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'var(--soft)', marginLeft: '1em' },
  '.cm-completionInfo': { fontFamily: 'system-ui, sans-serif', padding: '0.4rem 0.7rem' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--busy) 25%, transparent)' },
};

function makeEditor(options: EditorOptions): Editor {
  // a shadow root takes style sheets that were made by script, which the policy of the page does not let into its head
  const shadow = options.holder.shadowRoot ?? options.holder.attachShadow({ mode: 'open' });
  shadow.replaceChildren();
  const looks = new Compartment();
  const lookOf = (dark: boolean, phrases: Record<string, string>, label: string) => [
    EditorView.theme(look, { dark }), EditorState.phrases.of(phrases), EditorView.contentAttributes.of({ 'aria-label': label }),
  ];
  const view = new EditorView({
    parent: shadow,
    root: shadow,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        Prec.high(keymap.of([
          { key: 'Mod-s', run: () => (options.save(), true) },
          { key: 'Mod-Enter', run: () => (options.run(), true) },
        ])),
        basicSetup,
        StreamLanguage.define(toml),
        syntaxHighlighting(colours),
        lintGutter(),
        looks.of(lookOf(options.dark, options.phrases, options.label)),
        autocompletion({
          override: [(context) => {
            const found = options.complete(context.state.doc.toString(), context.pos);
            if (!found || (!context.explicit && found.from === context.pos && !/[={,[]\s*$/.test(context.state.sliceDoc(Math.max(0, context.pos - 20), context.pos)))) return null;
            return {
              from: found.from,
              options: found.choices.map((c): Completion => ({ label: c.label, apply: c.apply, ...(c.detail ? { info: c.detail } : {}) })),
              filter: true,
            };
          }],
        }),
        hoverTooltip((shown, position) => {
          const hint = options.hint(shown.state.doc.toString(), position);
          if (!hint) return null;
          return {
            pos: hint.from, end: hint.to, above: true,
            create: () => {
              const dom = document.createElement('div');
              dom.className = 'cm-hint';
              for (const line of hint.lines) dom.appendChild(document.createElement('p')).textContent = line;
              return { dom };
            },
          };
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    replace: (from, to, insert) => view.dispatch({ changes: { from, to, insert } }),
    setMarks(marks) {
      const length = view.state.doc.length;
      view.dispatch(setDiagnostics(view.state, marks.filter((m) => m.to <= length).map((m): Diagnostic => ({ ...m }))));
    },
    setLook: (dark, phrases, label) => view.dispatch({ effects: looks.reconfigure(lookOf(dark, phrases, label)) }),
    goTo(position) {
      view.dispatch({ selection: { anchor: Math.min(position, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

(globalThis as unknown as { areiaEditor: typeof makeEditor }).areiaEditor = makeEditor;
