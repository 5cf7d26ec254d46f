// A value that components follow.
import { useEffect, useState } from 'preact/hooks';

export interface Signal<T> {
  value: T;
  listen(f: () => void): () => void;
}

export function signalOf<T>(first: T, changed?: (value: T) => void): Signal<T> {
  const listeners = new Set<() => void>();
  let value = first;
  changed?.(first);
  return {
    get value() {
      return value;
    },
    set value(next: T) {
      if (next === value) return;
      value = next;
      changed?.(next);
      for (const f of listeners) f();
    },
    listen(f) {
      listeners.add(f);
      return () => listeners.delete(f);
    },
  };
}

export function useSignal<T>(signal: Signal<T>): T {
  const [, draw] = useState(0);
  useEffect(() => signal.listen(() => draw((n) => n + 1)), [signal]);
  return signal.value;
}
