// A case: its text or a form of it on the left, what comes of it on the right. Text and form are two views of one text.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Refused } from './api';
import type { Editor, Mark } from './code_editor';
import { checkCase, getEditor, getSchema, readCase, saveCase, startRun, type Checked, type Problem } from './control';
import { editorPhrases } from './editor_phrases';
import { Form } from './form';
import { counted, short } from './numbers';
import { Preview, type Scene } from './preview';
import { problem } from './runs';
import { choicesAt, hintAt, type Schema } from './schema';
import { toldOf } from './schema_pt';
import { useSignal } from './signal';
import { language, t } from './texts';
import { theme } from './theme';
import { keyOf, Places } from './toml_places';

// What was written and not saved, also while another page is looked at.
interface Draft {
  text: string;
  saved: string;
  version: string;
}
const drafts = new Map<string, Draft>();
addEventListener('beforeunload', (e) => {
  if ([...drafts.values()].some((d) => d.text !== d.saved)) e.preventDefault();
});

// Where a problem stands: its value or key, else its line.
function placeOf(p: Problem, places: Places): { from: number; to: number } {
  const { text } = places;
  let from = 0;
  for (let line = 1; line < p.line && from >= 0; ++line) from = text.indexOf('\n', from) + 1 || -1;
  if (from < 0 || p.line < 1) return { from: 0, to: Math.min(text.length, 1) };
  const to = text.indexOf('\n', from) < 0 ? text.length : text.indexOf('\n', from);
  const entry = places.find(p.key);
  if (entry && entry.keyFrom >= from && entry.keyFrom <= to) return { from: entry.from < entry.to ? entry.from : entry.keyFrom, to: entry.to };
  const last = p.key.split('.').pop() ?? '';
  const at = last ? text.slice(from, to).indexOf(last) : -1;
  return at >= 0 ? { from: from + at, to: from + at + last.length } : { from, to: Math.max(to, Math.min(text.length, from + 1)) };
}

const told = (p: Problem): string => `${p.key}${p.value ? ` = ${p.value}` : ''}${p.key || p.value ? ': ' : ''}${p.rule}`;

export function EditPage({ path, tools }: { path: string; tools: ComponentChildren }) {
  const [draft, setDraft] = useState<Draft | null>(drafts.get(path) ?? null);
  const [failure, setFailure] = useState('');
  const [schema, setSchema] = useState<Schema | null>(null);
  const [checked, setChecked] = useState<(Checked & { text: string }) | null>(null);
  const [scene, setScene] = useState<Scene | null>(null); // the last one that was sound
  const [mode, setMode] = useState<'text' | 'form'>('text');
  const [busy, setBusy] = useState(false);
  const holder = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const spoken = useSignal(language);
  const shade = useSignal(theme);
  const text = draft?.text ?? '';
  const places = useMemo(() => new Places(text), [text]);
  const version = useRef({ text, count: 0 }); // how often the text has changed, for whoever waits for that
  if (version.current.text !== text) version.current = { text, count: version.current.count + 1 };
  const now = useRef({ schema, save: async () => false as boolean, run: async () => {} });

  useEffect(() => {
    document.title = `${path} – Areia`;
    getSchema().then(setSchema).catch((e) => setFailure(problem(e)));
    if (!drafts.has(path))
      readCase(path).then(({ text: read, version }) => setDraft({ text: read, saved: read, version })).catch((e) => setFailure(problem(e)));
  }, [path]);
  useEffect(() => {
    if (draft) drafts.set(path, draft);
  }, [draft]);

  const write = (next: string) => setDraft((d) => d && { ...d, text: next });
  const save = async (): Promise<boolean> => {
    const d = drafts.get(path);
    if (!d) return false;
    if (d.text === d.saved) return true;
    try {
      const version = await saveCase(path, d.text, d.version);
      setDraft((latest) => latest && { ...latest, saved: d.text, version });
      drafts.set(path, { ...d, saved: d.text, version });
      setFailure('');
      return true;
    } catch (e) {
      setFailure(e instanceof Refused && e.status === 409 ? t('changedOutside') : problem(e));
      return false;
    }
  };
  const run = async () => {
    setBusy(true);
    if (await save())
      try {
        location.hash = `/run/${encodeURIComponent(await startRun(path))}`;
      } catch (e) {
        setFailure(problem(e));
      }
    setBusy(false);
  };
  const reload = async () => {
    try {
      const { text: read, version } = await readCase(path);
      setDraft({ text: read, saved: read, version });
      editor.current?.replace(0, text.length, read);
      setFailure('');
    } catch (e) {
      setFailure(problem(e));
    }
  };
  now.current = { schema, save, run };

  // The editor is made once, and told of later changes.
  const loaded = draft !== null;
  useEffect(() => {
    if (!loaded || mode !== 'text') return;
    let over = false;
    getEditor().then((make) => {
      const first = drafts.get(path);
      if (over || !holder.current || !first) return;
      editor.current = make({
        holder: holder.current, text: first.text, label: path, dark: theme.value === 'dark', phrases: editorPhrases(),
        changed: write, save: () => void now.current.save(), run: () => void now.current.run(),
        complete: (all, position) => now.current.schema && choicesAt(now.current.schema, new Places(all), position),
        hint: (all, position) => {
          const found = now.current.schema && hintAt(new Places(all), position);
          if (!found || !now.current.schema) return null;
          const { text: what, preset, range } = now.current.schema.describe(found.path);
          return what ? { ...found, lines: [keyOf(found.path), what, ...(range ? [range] : []), ...(preset ? [`${t('preset')}: ${preset}`] : [])] } : null;
        },
      });
      setMarks();
    }).catch((e) => setFailure(problem(e)));
    return () => {
      over = true;
      editor.current?.destroy();
      editor.current = null;
    };
  }, [path, loaded, mode]);
  useEffect(() => editor.current?.setLook(shade === 'dark', editorPhrases(), path), [shade, spoken]);

  // Checked when typing pauses, one check at a time.
  useEffect(() => {
    if (!loaded) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      checkCase(path, text, stop.signal).then((found) => {
        setChecked({ ...found, text });
        if (found.scene) setScene(found.scene);
      }).catch((e) => {
        if (!stop.signal.aborted) setFailure(problem(e));
      });
    }, checked ? 250 : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [path, loaded, text]);

  const here = (p: Problem) => p.file === path || p.file === '';
  const setMarks = () => {
    if (!checked || checked.text !== text) return;
    editor.current?.setMarks(checked.check.problems.filter(here).map((p): Mark => ({ ...placeOf(p, places), message: told(p), severity: 'error' })));
  };
  useEffect(setMarks, [checked, text]);

  const check = checked?.check;
  const fresh = checked?.text === text;
  const problems = check?.problems ?? [];
  const dirty = draft !== null && draft.text !== draft.saved;
  return (
    <div class="run edit">
      <header>
        <a class="back" href="#/cases" title={t('cases')} aria-label={t('cases')}><span class="mark" aria-hidden="true" />‹ {t('cases')}</a>
        <h1>{path}{dirty && <small id="unsaved"> {t('unsaved')}</small>}</h1>
        <button id="save" disabled={!dirty} title="Ctrl-S" onClick={save}>{t('save')}</button>
        <button id="start" class="strong" disabled={busy || !draft || problems.length > 0} title="Ctrl-Enter" onClick={run}>{t('runCase')}</button>
        {tools}
      </header>
      {failure && <p class="failure" role="alert">{failure} {failure === t('changedOutside') && <button onClick={reload}>{t('reload')}</button>}</p>}
      <div class="split">
        <section class="words">
          <nav role="tablist">
            {(['text', 'form'] as const).map((m) => (
              <button key={m} role="tab" id={`tab-${m}`} aria-selected={mode === m} onClick={() => setMode(m)}>{t(m === 'text' ? 'asText' : 'asForm')}</button>
            ))}
            <span class={`verdict ${problems.length ? 'bad' : 'good'}`} id="verdict" role="status" data-fresh={fresh} data-version={version.current.count}>
              {!check ? t('checking') : problems.length === 0 ? t('sound') : `${problems.length} ${t(problems.length === 1 ? 'problemOne' : 'problemMany')}`}
            </span>
          </nav>
          {mode === 'text' && <div class="code" ref={holder} />}
          {mode === 'form' && schema && <Form places={places} schema={schema} problems={problems} write={write} />}
          {problems.length > 0 && (
            <ul class="problems" id="problems">
              {problems.map((p) => (
                <li key={`${p.line} ${p.key} ${p.rule}`}>
                  <button class="plain" onClick={() => {
                    setMode('text');
                    editor.current?.goTo(placeOf(p, places).from);
                  }}><b>{here(p) ? t('line') : p.file} {p.line || ''}</b> {told(p)}</button>
                </li>
              ))}
            </ul>
          )}
        </section>
        <section class="side">
          {scene ? <Preview scene={scene} colour={scene.frame.colour} /> : <p class="picture empty">{t('noPreview')}</p>}
          {check && problems.length === 0 && (
            <div class="pane chosen" id="chosen">
              <h2>{t('chosen')}</h2>
              {!check.complete && <p class="hint">{t('outlined')}</p>}
              {check.particles !== undefined && (
                <p>{counted(check.particles, spoken)} {t('particles').toLowerCase()}, {counted(check.contacts ?? 0, spoken)} {t('contactsAtStart')}
                  {check.steps !== undefined && <span>; {counted(Math.round(check.steps), spoken)} {t('stepsTo')} {short(check.time ?? 0)} s; {short((check.memory ?? 0) / 1e6, 3)} MB</span>}</p>
              )}
              <dl>
                {check.choices?.map((c) => (
                  <div key={c.what}><dt>{toldOf(c.what)}</dt><dd><span><b>{short(c.value)} {c.unit}</b> {toldOf(c.reason)}</span></dd></div>
                ))}
                {check.tables?.map((c) => <div key={c.pair}><dt>{c.pair}</dt><dd><span>{toldOf(c.laws)}</span></dd></div>)}
              </dl>
              {check.warnings.map((w) => <p key={w} class="warning">{w}</p>)}
              {check.notes.map((n) => <p key={n} class="hint">{n}</p>)}
            </div>
          )}
        </section>
      </div>
    </div>
  );
}
