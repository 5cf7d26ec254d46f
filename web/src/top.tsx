// The head of the pages that list something.
import type { ComponentChildren } from 'preact';
import { t, type Key } from './texts';

const pages: [string, Key][] = [['', 'runs'], ['cases', 'cases'], ['examples', 'examples']];

export function Top(p: { here: string; tools: ComponentChildren; folder?: string; children?: ComponentChildren }) {
  return (
    <header>
      <h1><span class="mark" aria-hidden="true" />Areia{p.folder && <small>{p.folder}</small>}</h1>
      <nav class="pages">
        {pages.map(([page, text]) => <a key={page} href={`#/${page}`} aria-current={p.here === page ? 'page' : undefined}>{t(text)}</a>)}
      </nav>
      {p.children}
      {p.tools}
    </header>
  );
}
