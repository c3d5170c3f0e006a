/** What a caller may do: look, or act as well. */
export const Role = { viewer: 'viewer', operator: 'operator' } as const;
export type Role = (typeof Role)[keyof typeof Role];

/** Who makes a request, by name: the name is in the audit of everything they do. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
}

export function mayAct(caller: Caller, needed: Role): boolean {
  return caller.role === Role.operator || needed === Role.viewer;
}
