/** What streams of the API are called among themselves. */
export const STREAM_PROTOCOL = 'plain.kubevirt.io';

/** The address of a websocket of this console. */
export function socketUrl(path: string): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`;
}
