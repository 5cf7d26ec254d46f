import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';

// Points and arrays of a particle file by name; written anew here, apart from the program's reader. Arrays are appended,
// in blocks that zlib compressed: number of blocks, size of a block, size of the last one, sizes compressed.
export function readVtp(bytes) {
  const start = bytes.indexOf('<AppendedData');
  const text = bytes.subarray(0, start).toString();
  const data = bytes.indexOf('_', start) + 1;
  assert.match(text, /header_type="UInt64" compressor="vtkZLibDataCompressor"/);
  const numbers = (name) => {
    const tag = new RegExp(`<DataArray[^>]*Name="${name}"[^>]*>`).exec(text)[0];
    let at = data + Number(/offset="(\d+)"/.exec(tag)[1]);
    const word = () => Number(bytes.readBigUInt64LE((at += 8) - 8));
    const blocks = word();
    at += 16;
    const sizes = Array.from({ length: blocks }, word);
    const whole = Buffer.concat(sizes.map((size) => inflateSync(bytes.subarray((at += size) - size, at))));
    const kinds = { Float32: [4, 'readFloatLE'], Float64: [8, 'readDoubleLE'], Int64: [8, 'readBigInt64LE'] };
    const [width, reader] = kinds[/type="(\w+)"/.exec(tag)[1]];
    return Array.from({ length: whole.length / width }, (_, n) => Number(whole[reader](n * width)));
  };
  return { points: numbers('points'), id: numbers('id'), radius: numbers('radius'), velocity: numbers('velocity') };
}
