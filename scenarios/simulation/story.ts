/** What happened, line by line, and what must never happen. */
export class Story {
  readonly #now: () => number;
  readonly #lines: string[] | undefined;
  readonly #violations: string[] = [];
  #hash = 0x811c9dc5;

  /** Lines are kept only if they are wanted; their hash always is. */
  constructor(now: () => number, isTold: boolean) {
    this.#now = now;
    this.#lines = isTold ? [] : undefined;
  }

  get lines(): readonly string[] {
    return this.#lines ?? [];
  }

  get violations(): readonly string[] {
    return this.#violations;
  }

  /** Stands for every line: two stories with the same one are the same. */
  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  tell(line: string): void {
    const text = `${timeText(this.#now())} ${line}`;
    // FNV-1a: cheap, and no two stories that differ are likely to agree.
    let hash = this.#hash;
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    this.#hash = hash;
    this.#lines?.push(text);
  }

  /** Something happened that must not, whatever goes wrong. */
  violate(rule: string): void {
    this.tell(`VIOLATION: ${rule}`);
    this.#violations.push(`${timeText(this.#now())} ${rule}`);
  }
}

/** A moment of the story, as `h:mm:ss.mmm`. */
function timeText(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const [hours, minutes] = [Math.floor(whole / 3_600_000), Math.floor(whole / 60_000) % 60];
  return `${hours}:${part(minutes)}:${part(Math.floor(whole / 1000) % 60)}.${part(whole % 1000, 3)}`;
}

function part(value: number, digits: number = 2): string {
  return String(value).padStart(digits, '0');
}
