import { isDomainXmlError, readDomain } from '@smalt/domain-xml';

/** What a guest gets whose definition says nothing: it is none of a virtual machine. */
const UNSAID_MS = 5_000;
/** Whoever stops this machine waits for no guest any longer. */
const MOST_MS = 300_000;

/** How long a guest may take to shut down in order, by the definition of its domain. */
export function guestPatienceMs(xml: string): number {
  const seconds = gracePeriodSeconds(xml);
  return seconds === undefined ? UNSAID_MS : Math.min(MOST_MS, seconds * 1_000);
}

function gracePeriodSeconds(xml: string): number | undefined {
  try {
    return readDomain(xml).owner?.gracePeriodSeconds;
  } catch (error) {
    if (isDomainXmlError(error)) return undefined;
    throw error;
  }
}
