// An input whose words are its own while somebody writes in it: what is drawn anew meanwhile, with an answer or with
// every picture of a film, leaves them alone. They are taken by Enter, or when the field is left.
import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';

type Given = Omit<ComponentProps<'input'>, 'value' | 'onInput' | 'onChange' | 'onBlur'>;

export function Typed({ value, take, ...rest }: Given & { value: string | number; take: (field: HTMLInputElement) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input {...rest} value={typed ?? value} onInput={(e) => setTyped(e.currentTarget.value)} onBlur={() => setTyped(null)}
      onChange={(e) => { setTyped(null); take(e.currentTarget); }} />
  );
}
