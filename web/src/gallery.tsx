// Cases of the folder, and examples of which a copy is put there.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refused } from './api';
import { copyExample, getPicture, getStarter, listCases, listExamples, saveCase, startRun, type CaseEntry, type Example } from './control';
import { problem } from './runs';
import { language, t } from './texts';
import { Top } from './top';

const go = (kind: 'edit' | 'run', path: string) => (location.hash = `/${kind}/${encodeURIComponent(path)}`);

function Picture({ name }: { name: string }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // when it comes into sight
    let address = '';
    const watcher = new IntersectionObserver((seen) => {
      if (!seen.some((s) => s.isIntersecting)) return;
      watcher.disconnect();
      getPicture(name).then((blob) => {
        address = URL.createObjectURL(blob);
        if (image.current) image.current.src = address;
      }).catch(() => {});
    });
    watcher.observe(image.current as HTMLImageElement);
    return () => {
      watcher.disconnect();
      URL.revokeObjectURL(address);
    };
  }, [name]);
  return <img ref={image} alt="" />;
}

export function CasesPage({ tools }: { tools: ComponentChildren }) {
  const [cases, setCases] = useState<CaseEntry[] | null>(null);
  const [failure, setFailure] = useState('');
  const [name, setName] = useState('');
  useEffect(() => {
    document.title = 'Areia';
    listCases().then(setCases).catch((e) => setFailure(problem(e)));
  }, []);
  const make = async () => {
    const path = name.endsWith('.toml') ? name : `${name}.toml`;
    try {
      await saveCase(path, await getStarter(), '');
      go('edit', path);
    } catch (e) {
      setFailure(e instanceof Refused && e.status === 409 ? t('nameTaken') : problem(e));
    }
  };
  return (
    <div class="list">
      <Top here="cases" tools={tools} />
      {failure && <p class="failure" role="alert">{failure}</p>}
      <main>
        <form class="row new" onSubmit={(e) => {
          e.preventDefault();
          void make();
        }}>
          <input type="text" id="new-name" placeholder={t('newName')} aria-label={t('newName')} value={name} onInput={(e) => setName(e.currentTarget.value)} />
          <button disabled={!name.trim()}>{t('newCase')}</button>
        </form>
        {cases && cases.length > 0 && (
          <table class="runs">
            <thead><tr><th>{t('title')}</th><th>{t('file')}</th><th>{t('changed')}</th><th /></tr></thead>
            <tbody>
              {cases.map((c) => (
                <tr key={c.path} onClick={() => go('edit', c.path)}>
                  <td class="title"><a href={`#/edit/${encodeURIComponent(c.path)}`}>{c.title || t('untitled')}</a></td>
                  <td class="path">{c.path}</td>
                  <td class="changed">{new Date(1000 * c.changed).toLocaleString(language.value === 'pt' ? 'pt-BR' : 'en-GB', { dateStyle: 'medium', timeStyle: 'short' })}</td>
                  <td><button onClick={(e) => {
                    e.stopPropagation();
                    startRun(c.path).then((run) => go('run', run)).catch((x) => setFailure(problem(x)));
                  }}>{t('runCase')}</button></td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {cases && cases.length === 0 && <p class="empty">{t('noCases')}</p>}
      </main>
    </div>
  );
}

export function ExamplesPage({ tools }: { tools: ComponentChildren }) {
  const [examples, setExamples] = useState<Example[] | null>(null);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    document.title = 'Areia';
    listExamples().then(setExamples).catch((e) => setFailure(problem(e)));
  }, []);
  const open = async (example: Example, run: boolean) => {
    try {
      const path = await copyExample(example.name);
      if (run) go('run', await startRun(path));
      else go('edit', path);
    } catch (e) {
      setFailure(problem(e));
    }
  };
  return (
    <div class="list">
      <Top here="examples" tools={tools} />
      {failure && <p class="failure" role="alert">{failure}</p>}
      <main>
        <p class="hint">{t('examplesHint')}</p>
        <ul class="gallery">
          {examples?.map((e) => (
            <li key={e.name} id={`example-${e.name}`}>
              {e.picture ? <Picture name={e.name} /> : <div class="blank" />}
              <h2>{e.title}</h2>
              <p>{e.text.replaceAll('`', '')}</p>
              <div class="buttons">
                <button onClick={() => open(e, false)} aria-label={`${t('openCopy')}: ${e.title}`}>{t('openCopy')}</button>
                <button class="strong" onClick={() => open(e, true)} aria-label={`${t('runCase')}: ${e.title}`}>{t('runCase')}</button>
              </div>
            </li>
          ))}
        </ul>
      </main>
    </div>
  );
}
