// What the server answers for the verification; src/studio/verification.h lists the addresses.
import { ask } from './api';
import type { PlotData } from './curve_plot';

export interface Row {
  quantity: string;
  source: number | null;
  ours: number | null;
  difference: number | null;
  tolerance: number;
  verdict: 'pass' | 'explained' | 'not reproduced' | 'fail';
  note: string;
  claims: { claim: string; holds: boolean }[];
  tried: { what: string; value: number | null }[];
  ran: number | null;
}
export interface ExampleReport {
  name: string;
  title: string;
  source: string;
  works: string[];
  seconds: number;
  verdict: Row['verdict'];
  rows: Row[];
  remarks: string[];
  plots: PlotData[];
  sketch: string;
  ran: { lab: boolean; text: string; set: string[] }[];
  references: unknown[];
}
export interface Report {
  version: string;
  command: string;
  machine: string;
  date: string;
  seconds: number;
  sources: { key: string; name: string; citation: string; doi: string }[];
  examples: ExampleReport[];
}
export interface Reports {
  reports: { path: string; data: boolean }[];
  quick: { running: boolean; done: number; of: number; there: boolean };
}

export async function listReports(): Promise<Reports> {
  return (await ask('verification', {})).json();
}

// Nothing where what came is no report: a file may hold anything.
export async function getReport(path: string | null): Promise<Report | null> {
  const said = await (await ask('verification/report', path === null ? {} : { report: path })).text();
  try {
    const r = JSON.parse(said) as Report & { areia_verification?: number };
    const lists = (...all: unknown[]) => all.every(Array.isArray);
    const sound = r.areia_verification === 1 && lists(r.sources, r.examples)
      && r.examples.every((e) => lists(e.rows, e.works, e.remarks, e.plots, e.ran, e.references) && typeof e.sketch === 'string'
        && e.rows.every((row) => lists(row.claims, row.tried)) && e.plots.every((p) => lists(p.curves) && p.curves.every((c) => lists(c.x, c.y)))
        && e.ran.every((c) => lists(c.set)));
    return sound ? r : null;
  } catch {
    return null;
  }
}

export async function startQuick(): Promise<void> {
  await ask('verification/quick', {}, undefined, {});
}
