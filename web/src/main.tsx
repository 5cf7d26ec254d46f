// The page of `areia studio`: the list of runs, and one run. Where one is stands behind the # of the address.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LabPage } from './lab';
import { isLab } from './lab_state';
import { RunPage } from './run';
import { RunsPage } from './runs';
import { useSignal } from './signal';
import './style.css';
import 'uplot/dist/uPlot.min.css';
import { language, t } from './texts';
import { switchTheme, theme } from './theme';
import { isVerification, VerificationPage } from './verification';

const runOf = (hash: string) => (hash.startsWith('#/run/') ? decodeURIComponent(hash.slice(6)) : null);

function App() {
  const [place, setPlace] = useState(location.hash);
  const run = runOf(place);
  const spoken = useSignal(language);
  useSignal(theme);
  useEffect(() => {
    const changed = () => setPlace(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const tools = (
    <div class="tools">
      <nav class="places">
        {(isLab(place) || isVerification(place)) && <a id="nav-runs" href="#/">{t('runs')}</a>}
        {!isLab(place) && <a id="nav-lab" href="#/lab">{t('navLab')}</a>}
        {!isVerification(place) && <a id="nav-verification" href="#/verification">{t('navVerification')}</a>}
      </nav>
      <button class="plain" title={t('theme')} aria-label={t('theme')} onClick={switchTheme}>◐</button>
      <button class="plain" id="language" title={t('language')} aria-label={t('language')}
        onClick={() => (language.value = spoken === 'en' ? 'pt' : 'en')}>
        {spoken === 'en' ? 'PT' : 'EN'}
      </button>
    </div>
  );
  if (isLab(place)) return <LabPage tools={tools} />;
  if (isVerification(place)) return <VerificationPage tools={tools} />;
  return run === null ? <RunsPage tools={tools} /> : <RunPage key={run} path={run} tools={tools} />;
}

render(<App />, document.getElementById('app') as HTMLElement);
