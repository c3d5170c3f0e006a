/** `domainGetInfo` to `DomainGetInfo`. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `domainGetInfo` to `domain get info`. */
export function spaced(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}

/** `rtc-change` to `RtcChange`. */
export function pascalFromKebab(name: string): string {
  return name.split('-').map(pascalCase).join('');
}

/** How a property called `name` is written in an object literal or an interface. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}
