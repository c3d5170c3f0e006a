const MAX_NAME = 255;

/** Whether this is the path of an object: `/`, or `/a/b`. */
export function isObjectPath(text: string): boolean {
  return text === '/' || /^(?:\/[A-Za-z\d_]+)+$/.test(text);
}

/** Whether this names an interface, or an error: `org.example.Thing`. */
export function isInterfaceName(text: string): boolean {
  return text.length <= MAX_NAME && /^[A-Za-z_][A-Za-z\d_]*(?:\.[A-Za-z_][A-Za-z\d_]*)+$/.test(text);
}

/** Whether this names a method or signal of an interface. */
export function isMemberName(text: string): boolean {
  return text.length <= MAX_NAME && /^[A-Za-z_][A-Za-z\d_]*$/.test(text);
}

/** Whether this names somebody on the bus: `org.example.Service`, or `:1.42`. */
export function isBusName(text: string): boolean {
  if (text.length > MAX_NAME) return false;
  return /^(?:[A-Za-z_-][A-Za-z\d_-]*(?:\.[A-Za-z_-][A-Za-z\d_-]*)+|:[A-Za-z\d_-]+(?:\.[A-Za-z\d_-]+)+)$/.test(text);
}
