// Two texts line by line: what is in both, in the first only, in the second only; by their longest common subsequence.
export type DiffLine = { kind: ' ' | '-' | '+'; text: string };
const most = 4e6; // pairs of lines that are held against each other

export function diff(a: string, b: string): DiffLine[] {
  const left = a.split('\n'), right = b.split('\n');
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) ++head;
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) ++tail;
  const x = left.slice(head, left.length - tail), y = right.slice(head, right.length - tail);
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: ' ', text }));
  const middle: DiffLine[] = [];
  if (x.length * y.length > most) {
    middle.push(...x.map((text): DiffLine => ({ kind: '-', text })), ...y.map((text): DiffLine => ({ kind: '+', text })));
  } else {
    const width = y.length + 1;
    const length = new Uint32Array((x.length + 1) * width); // of the common part from there on
    for (let i = x.length - 1; i >= 0; --i)
      for (let j = y.length - 1; j >= 0; --j)
        length[i * width + j] = x[i] === y[j] ? length[(i + 1) * width + j + 1] + 1 : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
    for (let i = 0, j = 0; i < x.length || j < y.length; ) {
      if (i < x.length && j < y.length && x[i] === y[j]) middle.push({ kind: ' ', text: x[i++] }), ++j;
      else if (j >= y.length || (i < x.length && length[(i + 1) * width + j] >= length[i * width + j + 1])) middle.push({ kind: '-', text: x[i++] });
      else middle.push({ kind: '+', text: y[j++] });
    }
  }
  return [...same(left.slice(0, head)), ...middle, ...same(left.slice(left.length - tail))];
}
