declare global {
  /** Where the code that keeps what is behind a dialog from scrolling looks for the nonce. */
  var __webpack_nonce__: string | undefined;
}

/** What style elements that scripts add have to carry, so that the policy of the page lets them in. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/** Gives the nonce to code that takes it from nowhere else. */
export function shareStyleNonce(): void {
  globalThis.__webpack_nonce__ = styleNonce();
}

/** Runs something that makes style elements and knows of no nonce; those it makes meanwhile carry it. */
export function withStyleNonce(nonce: string, run: () => void): void {
  const createElement = (tag: string, options?: ElementCreationOptions): HTMLElement => {
    const element = Document.prototype.createElement.call(document, tag, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  Object.defineProperty(document, 'createElement', { configurable: true, value: createElement });
  try {
    run();
  } finally {
    Reflect.deleteProperty(document, 'createElement');
  }
}
