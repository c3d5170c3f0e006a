import { formatBytes } from '../../../parts/format-bytes.ts';
import type { CaptureProgress } from './receive-capture.ts';

/** How much was captured, such as `12 packets, 3.4 KiB`. */
export function captureWords({ bytes, packets }: CaptureProgress): string {
  return `${packets.toLocaleString('en')} ${packets === 1 ? 'packet' : 'packets'}, ${formatBytes(bytes)}`;
}
