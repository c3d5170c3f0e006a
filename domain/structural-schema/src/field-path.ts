/** The path of a field below another: `spec` and `cpus` make `spec.cpus`. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The path as a message shows it. Kubernetes prints the path of the object itself as `<nil>`. */
export function shownPath(path: string): string {
  return path === '' ? '<nil>' : path;
}
