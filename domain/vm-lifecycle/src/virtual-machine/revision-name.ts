/** The name of the ControllerRevision that holds the spec a virtual machine was started from. */
export function revisionName(uid: string, generation: number): string {
  return `${revisionPrefix(uid)}${generation}`;
}

/** What the names of all start revisions of one virtual machine begin with. */
export function revisionPrefix(uid: string): string {
  return `revision-start-vm-${uid}-`;
}

/** The generation that a revision holds; undefined when the name is not of this machine. */
export function revisionGeneration(name: string, uid: string): number | undefined {
  const prefix = revisionPrefix(uid);
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}
