import { spawn } from 'node:child_process';

// A group is sent a signal at once, and npm passes its copy of it on. Nobody means it twice as quickly as that.
const COPIES_MS = 500;
const LOOK_MS = 1000;

/**
 * Runs a program and resolves with the status to end with. The program has a session of its own: whatever is sent to npm,
 * to its group or by a terminal comes to it through this process, and once. It is also told to stop, once, when the
 * parent is gone, or this process.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ parent: number, cwd?: string, env?: NodeJS.ProcessEnv }} options `parent` is whose end is watched for
 * @returns {Promise<number>}
 */
export function runProgram(command, args, { parent, ...options }) {
  const child = spawn(command, args, { ...options, stdio: 'inherit', detached: true });
  if (child.pid !== undefined) {
    passOn(child.pid, parent);
    const release = outlive(child.pid);
    child.on('exit', release);
  }
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`cannot start ${command}: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

/**
 * @param {number} program
 * @param {number} parent
 */
function passOn(program, parent) {
  /** @type {Map<string, number>} */
  const passedAt = new Map();
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    const now = performance.now();
    if (now - (passedAt.get(signal) ?? -Infinity) < COPIES_MS) return;
    passedAt.set(signal, now);
    send(program, signal);
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])) process.on(signal, pass);
  // npm, killed from outside, ends without a word to what it started.
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    if (passedAt.size === 0) pass('SIGTERM');
  }, LOOK_MS).unref();
  shareTerminal(program);
}

/**
 * Has the program told to stop when this process was killed and cannot. Not by the kernel's own signal for that
 * (PR_SET_PDEATHSIG): a process with threads dies one by one, and the program would be told by each.
 *
 * @param {number} program
 * @returns {() => void} to be called when the program has ended
 */
function outlive(program) {
  // The pipe ends without a line when its other end is gone.
  const words = ['-c', 'read -r line || kill -s TERM -- "-$1"', 'sh', String(program)];
  const guard = spawn('sh', words, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.on('error', (error) => console.error(`cannot start sh: ${error.message}`));
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return () => void guard.stdin.end('over\n');
}

/**
 * Stops and goes on with the jobs of the shell, and learns the size of its window: a terminal does not know the program.
 *
 * @param {number} program
 */
function shareTerminal(program) {
  process.on('SIGTSTP', () => {
    send(program, 'SIGSTOP');
    process.kill(process.pid, 'SIGSTOP');
  });
  for (const signal of /** @type {const} */ (['SIGCONT', 'SIGWINCH'])) {
    process.on(signal, () => send(program, signal));
  }
}

/**
 * To the program and what it has started in its group, as to all that run in one terminal.
 *
 * @param {number} program
 * @param {NodeJS.Signals} signal
 */
function send(program, signal) {
  try {
    process.kill(-program, signal);
  } catch (error) {
    // It has just ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
