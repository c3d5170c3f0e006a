/** The namespace of what we and existing tools keep in a domain's metadata. */
export const METADATA_NAMESPACE = 'http://kubevirt.io';
