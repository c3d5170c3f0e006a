import { readFile } from 'node:fs/promises';

import { parse } from 'yaml';

/** One alert of a file of rules. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string; readonly playbook: string };
  readonly annotations: { readonly runbook_url: string };
}

interface RulesFile {
  readonly groups: readonly { readonly rules: readonly AlertRule[] }[];
}

/** All alerts of a file, in its order. */
export async function readAlertRules(path: string): Promise<readonly AlertRule[]> {
  const file: RulesFile = Object(parse(await readFile(path, 'utf8')));
  return file.groups.flatMap(({ rules }) => rules);
}
