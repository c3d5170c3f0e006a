import { ImageStoreError } from './image-store-error.ts';

const NAME = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const HOST = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?';
const TAG = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
const REFERENCE = new RegExp(`^(?:${HOST}/)?${NAME}(?:/${NAME})*(?::${TAG})?(?:@sha256:[0-9a-f]{64})?$`);
/** Of the name of its file. */
const MAX_LENGTH = 240;
const SUFFIX = '.json';

/**
 * A name as it is kept. They look like those of container images, `[HOST/]NAME[:TAG]`, and one without a tag or a digest
 * means `latest`. Nothing is ever pulled: they are only names.
 */
export function parseReference(text: string): string {
  const reference = text.replace(/^docker:\/\//, '');
  if (!REFERENCE.test(reference) || referenceFile(reference).length > MAX_LENGTH) {
    const shown = JSON.stringify(text.slice(0, 60));
    const message = `${shown} is no name of an image; use small letters, digits and dashes, such as demo or demo:1.0`;
    throw new ImageStoreError('invalid-reference', message);
  }
  const last = reference.slice(reference.lastIndexOf('/') + 1);
  return /[:@]/.test(last) ? reference : `${reference}:latest`;
}

/** The file that a name is kept in; slashes do not make directories. */
export function referenceFile(reference: string): string {
  return `${encodeURIComponent(reference)}${SUFFIX}`;
}

/** The name that a file stands for; undefined for a file that is none of ours. */
export function referenceOfFile(file: string): string | undefined {
  if (!file.endsWith(SUFFIX) || /%(?![0-9A-F]{2})/.test(file)) return undefined;
  const reference = decodeURIComponent(file.slice(0, -SUFFIX.length));
  return REFERENCE.test(reference) ? reference : undefined;
}
