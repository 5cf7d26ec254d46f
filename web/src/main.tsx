// The page of `areia studio`: the list of runs, one run, cases. Where one is stands behind the # of the address.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ComparePage } from './compare';
import { EditPage } from './edit';
import { CasesPage, ExamplesPage } from './gallery';
import { LabPage } from './lab';
import { isLab } from './lab_state';
import { RunPage } from './run';
import { RunsPage } from './runs';
import { useSignal } from './signal';
import './style.css';
import './control.css';
import 'uplot/dist/uPlot.min.css';
import { language, t } from './texts';
import { switchTheme, theme } from './theme';
import { isVerification, VerificationPage } from './verification';

// "#/run/a%2Fb": the page and what it is about.
const placeOf = (hash: string): { page: string; about: string[] } => {
  const [page = '', ...about] = hash.replace(/^#\/?/, '').split('/');
  return { page, about: about.map(decodeURIComponent) };
};

function App() {
  const [hash, setHash] = useState(location.hash);
  const spoken = useSignal(language);
  useSignal(theme);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const tools = (
    <div class="tools">
      <nav class="places">
        {(isLab(hash) || isVerification(hash)) && <a id="nav-runs" href="#/">{t('runs')}</a>}
        {!isLab(hash) && <a id="nav-lab" href="#/lab">{t('navLab')}</a>}
        {!isVerification(hash) && <a id="nav-verification" href="#/verification">{t('navVerification')}</a>}
      </nav>
      <button class="plain" title={t('theme')} aria-label={t('theme')} onClick={switchTheme}>◐</button>
      <button class="plain" id="language" title={t('language')} aria-label={t('language')}
        onClick={() => (language.value = spoken === 'en' ? 'pt' : 'en')}>
        {spoken === 'en' ? 'PT' : 'EN'}
      </button>
    </div>
  );
  if (isLab(hash)) return <LabPage tools={tools} />;
  if (isVerification(hash)) return <VerificationPage tools={tools} />;
  const { page, about } = placeOf(hash);
  if (page === 'run' && about[0]) return <RunPage key={about[0]} path={about[0]} tools={tools} />;
  if (page === 'edit' && about[0]) return <EditPage key={about[0]} path={about[0]} tools={tools} />;
  if (page === 'compare' && about.length === 2) return <ComparePage key={about.join(' ')} paths={about} tools={tools} />;
  if (page === 'cases') return <CasesPage tools={tools} />;
  if (page === 'examples') return <ExamplesPage tools={tools} />;
  return <RunsPage tools={tools} />;
}

render(<App />, document.getElementById('app') as HTMLElement);
