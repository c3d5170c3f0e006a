/** What a kernel module says it needs, by its name with underscores. */
export type ModuleNeeds = (name: string) => Promise<readonly string[] | undefined>;

/**
 * The modules to load, each after those it needs. A module that `needsOf` does not know is left out: it is built into
 * the kernel, or this kernel goes without it.
 */
export async function orderModules(wanted: readonly string[], needsOf: ModuleNeeds): Promise<readonly string[]> {
  const ordered: string[] = [];
  const seen = new Set<string>();
  const visit = async (name: string): Promise<void> => {
    if (seen.has(name)) return;
    seen.add(name);
    const needs = await needsOf(name);
    if (!needs) return;
    for (const need of needs) await visit(need);
    ordered.push(name);
  };
  for (const name of wanted) await visit(name.replaceAll('-', '_'));
  return ordered;
}

/** The modules named in the `depends=` entry of a module file. */
export function moduleNeeds(file: Buffer): readonly string[] {
  const start = file.indexOf('\0depends=');
  if (start < 0) return [];
  const from = start + '\0depends='.length;
  const list = file.toString('latin1', from, file.indexOf(0, from));
  return list
    .split(',')
    .filter((name) => name !== '')
    .map((name) => name.replaceAll('-', '_'));
}
