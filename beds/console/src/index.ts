export { accessibilityProblems } from './accessibility/accessibility-problems.ts';
export { accountToken } from './account-token.ts';
export { ConsoleBedError, isConsoleBedError, type ConsoleBedErrorCode } from './bed-error.ts';
export { ensurePages } from './ensure-pages.ts';
export { openChromium } from './open-chromium.ts';
export { signInByToken } from './sign-in-by-token.ts';
export { startConsoleWorld, type ConsoleWorld, type VisitOptions } from './start-console-world.ts';
export { startSmalt, type RunningSmalt, type SmaltOptions } from './start-smalt.ts';
export { withPage } from './watched-page.ts';
