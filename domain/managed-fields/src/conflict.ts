import { type FieldSet, pathsOf } from './field-set.ts';
import { type FieldConflict, ManagedFieldsError } from './managed-fields-error.ts';
import type { ManagerName } from './managers.ts';
import { type PathElement, printElement } from './path-element.ts';

/** A field that is applied with a value other than that of a manager who owns it. */
export interface Conflict {
  readonly manager: ManagerName;
  readonly path: readonly PathElement[];
}

export function conflictsWith(manager: ManagerName, fields: FieldSet): readonly Conflict[] {
  return pathsOf(fields).map((path) => ({ manager, path }));
}

/** The error that tells of conflicts, which must be in the order of their managers. */
export function conflictError(conflicts: readonly Conflict[]): ManagedFieldsError {
  const causes = conflicts.map(({ manager, path }): FieldConflict => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${printManager(manager)}`,
    field: printPath(path),
  }));
  return new ManagedFieldsError('conflict', messageOf(causes), { conflicts: causes });
}

function messageOf(causes: readonly FieldConflict[]): string {
  const [first] = causes;
  if (first !== undefined && causes.length === 1)
    return `Apply failed with 1 conflict: ${first.message}: ${first.field}`;
  const lines: string[] = [];
  let current = '';
  for (const { message, field } of causes) {
    if (message !== current) lines.push(`${message.replace('conflict', 'conflicts')}:`);
    lines.push(`- ${field}`);
    current = message;
  }
  return `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
}

function printManager({ manager, operation, apiVersion, subresource }: ManagerName): string {
  const name = JSON.stringify(manager);
  const place = subresource === '' ? name : `${name} with subresource ${JSON.stringify(subresource)}`;
  return operation === 'Update' ? `${place} using ${apiVersion}` : place;
}

function printPath(path: readonly PathElement[]): string {
  return path.map(printElement).join('');
}
