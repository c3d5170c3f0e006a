/** Whether a feature is on: it is when it is named, unless it says otherwise. */
export function isOn(feature: { readonly enabled?: boolean } | undefined): boolean {
  return feature !== undefined && feature.enabled !== false;
}

/** What libvirt writes for a feature that can be on or off. */
export function stateOf(feature: { readonly enabled?: boolean }): 'on' | 'off' {
  return isOn(feature) ? 'on' : 'off';
}
