// Frames that were fetched, the least recently shown given up when they become too many bytes. What does not change from
// frame to frame is kept once for all of them.
import { getFrame, type FrameData, type Grains, type Lines, type Shapes, type Triple } from './api';

const most = 24e6; // bytes; 15 frames of 100 000 grains: fetching one anew takes little longer than showing it
const mostParts = 4; // of a kind: grains that come and go, walls that move

export class FrameStore {
  private readonly kept = new Map<string, FrameData>();
  private readonly have = { grains: new Map<string, Grains>(), shapes: new Map<string, Shapes>() };
  bytes = 0;
  constructor(private readonly run: string) {}

  clear(): void {
    this.kept.clear();
    this.bytes = 0;
  }

  async get(index: number, colour: string, up: Triple, lines: Lines, signal?: AbortSignal): Promise<FrameData> {
    const key = `${index} ${colour} ${lines}`;
    const there = this.kept.get(key);
    if (there) {
      this.kept.delete(key);
      this.kept.set(key, there);
      return there;
    }
    const frame = await getFrame(this.run, index, colour, up, lines, this.have, signal);
    for (const parts of [this.have.grains, this.have.shapes])
      for (const old of parts.keys()) {
        if (parts.size <= mostParts) break;
        parts.delete(old);
      }
    this.bytes += frame.bytes - (this.kept.get(key)?.bytes ?? 0);
    this.kept.delete(key);
    this.kept.set(key, frame);
    for (const [old, entry] of this.kept) {
      if (this.bytes <= most || old === key) break;
      this.kept.delete(old);
      this.bytes -= entry.bytes;
    }
    return frame;
  }
}
