/** The path of a call to the agent of a switch, through the console. */
export function switchPath(
  { namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string },
  call: string,
): string {
  return `/switches/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}/${call}`;
}
