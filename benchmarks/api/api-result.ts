import { median } from '../src/sample-summary.ts';
import type { ServerName } from './api-server-name.ts';

/** What was measured of each server: by the name of the quantity, one sample per round. */
export class ApiResults {
  readonly #samples = new Map<string, number[]>();

  add(server: ServerName, quantity: string, sample: number): void {
    const key = `${server} ${quantity}`;
    const samples = this.#samples.get(key) ?? [];
    samples.push(sample);
    this.#samples.set(key, samples);
  }

  /** The median of the rounds; undefined when it was not measured. */
  get(server: ServerName, quantity: string): number | undefined {
    const samples = this.#samples.get(`${server} ${quantity}`);
    return samples === undefined ? undefined : median(samples);
  }
}
