/// <reference types="novnc__novnc" />

// The types are for an older layout of the package; the class is the same.
declare module '@novnc/novnc' {
  export { default } from '@novnc/novnc/lib/rfb';
}
