// Light and dark, as the system has it or as the reader chose.
import { signalOf } from './signal';

export type Theme = 'light' | 'dark';
const kept = localStorage.getItem('areia-theme');
const ofSystem: Theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';

export const theme = signalOf<Theme>(kept === 'light' || kept === 'dark' ? kept : ofSystem, (value) => {
  document.documentElement.dataset.theme = value;
});
export function switchTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem('areia-theme', theme.value);
}
export const colourOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
