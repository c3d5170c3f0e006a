import type { Interface } from '@smalt/vm-api';

const WORD = /^(tcp|udp)\/([1-9]\d{0,4})$/;
const MOST = 65_535;

/** The ports of an interface at which the world may call its guest, such as `tcp/80`, each once and in order. */
export function openPortsOf({ ports = [] }: Pick<Interface, 'ports'>): readonly string[] {
  const words = ports.map(({ port, protocol = '' }) => `${(protocol || 'TCP').toLowerCase()}/${port}`);
  return [...new Set(words.filter(isOpenPort))].toSorted();
}

/** Whether a text is the word for a port: it becomes part of what `nft` is told. */
export function isOpenPort(text: unknown): text is string {
  return typeof text === 'string' && Number(WORD.exec(text)?.[2] ?? Infinity) <= MOST;
}
