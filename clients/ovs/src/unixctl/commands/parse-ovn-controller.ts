import type { LocalBinding } from './local-binding.ts';

const BINDING = /^name: \[(.*)\], OVS interface name : \[(.*)\], num binding lports : \[(\d+)\]/;
const PRIMARY = /^primary lport : \[(.*)\]/;
const ZONE = /^(\S+) (\d+)$/;

/** Reads `debug/dump-local-bindings`. */
export function parseLocalBindings(text: string): readonly LocalBinding[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.flatMap((line, index) => {
    const [, name, interfaceName, bindings] = BINDING.exec(line) ?? [];
    if (name === undefined) return [];
    return [
      {
        name,
        // An interface that is not here yet, or no more, is written as NULL.
        interfaceName: interfaceName === 'NULL' ? undefined : interfaceName,
        bindings: Number(bindings),
        primaryPort: PRIMARY.exec(lines[index + 1] ?? '')?.[1],
      },
    ];
  });
}

/** Reads `ct-zone-list`. */
export function parseConntrackZones(text: string): ReadonlyMap<string, number> {
  return new Map(
    text.split(/\r?\n/).flatMap((line): [string, number][] => {
      const [, name, zone] = ZONE.exec(line.trim()) ?? [];
      return name === undefined ? [] : [[name, Number(zone)]];
    }),
  );
}
