// What can be done with a run: pause, resume, extend.
import { useState } from 'preact/hooks';
import type { RunEntry } from './api';
import { resumeRun, stopRun } from './control';
import { short } from './numbers';
import { clock, problem } from './runs';
import { t } from './texts';

export function RunControls({ run }: { run: RunEntry }) {
  const [asked, setAsked] = useState(''); // in which state
  const [longer, setLonger] = useState('');
  const [failure, setFailure] = useState('');
  const act = (what: Promise<void>) => {
    setAsked(run.state);
    what.then(() => setFailure('')).catch((e) => {
      setAsked('');
      setFailure(problem(e));
    });
  };
  const waiting = asked === run.state;
  const said = failure && <small class="wrong" role="alert">{failure}</small>;
  if (run.state === 'running' || run.state === 'starting')
    return <span class="acts"><button id="pause" disabled={waiting} title={t('pauseTip')} onClick={() => act(stopRun(run.path))}>{t(run.state === 'starting' ? 'giveUp' : 'pauseRun')}</button>{run.speed !== null && run.left !== null && <small id="speed">{short(run.speed / 1e6, 3)} M/s, {clock(run.left)} {t('left')}</small>}{said}</span>;
  if (run.state !== 'finished')
    return <span class="acts"><button id="resume" class="strong" disabled={waiting} title={t('resumeTip')} onClick={() => act(resumeRun(run.path))}>{t('resumeRun')}</button>{said}</span>;
  return (
    <form class="extend" onSubmit={(e) => {
      e.preventDefault();
      if (longer.trim()) act(resumeRun(run.path, /^[\d.eE+-]+$/.test(longer.trim()) ? `${longer.trim()} s` : longer.trim()));
    }}>
      <input type="text" size={6} placeholder={t('extendBy')} aria-label={t('extendBy')} value={longer} onInput={(e) => setLonger(e.currentTarget.value)} />
      <button id="extend" disabled={!longer.trim()} title={t('extendTip')}>{t('extendRun')}</button>{said}
    </form>
  );
}

// Why a run is not at work any more.
export function Reason({ run }: { run: RunEntry }) {
  if (run.state !== 'died' && run.state !== 'stopped' && run.state !== 'starting') return null;
  const when = run.beat ? ` ${t('lastSeen')} ${new Date(1000 * run.beat).toLocaleTimeString()}.` : '';
  return <p class={run.state === 'starting' ? 'hint reason' : 'failure reason'} role="status">{run.state === 'starting' ? t('startingNote') : run.note || t('diedNote')}{run.state === 'died' ? when : ''}</p>;
}
