const UID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether this is a uid as the API makes them: it becomes the name of a directory and of a cgroup. */
export function isPodUid(text: string): boolean {
  return UID.test(text);
}
