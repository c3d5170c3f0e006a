/** What a caller may do: look, or act as well. */
export const Role = { viewer: 'viewer', operator: 'operator' } as const;
export type Role = (typeof Role)[keyof typeof Role];

/** Who makes a request, by name: the name is in the audit of everything they do. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
  /** Who has made the request on their behalf, if they have not themselves. */
  readonly through?: string;
}

/** A caller in the journal: the person, and in brackets through whom. */
export function callerName({ name, through }: Pick<Caller, 'name' | 'through'>): string {
  return through === undefined ? name : `${name} (through ${through})`;
}

export function mayAct(caller: Caller, needed: Role): boolean {
  return caller.role === Role.operator || needed === Role.viewer;
}
