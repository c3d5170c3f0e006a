import type { Incident, IncidentFacts, PowerReading, RebuildRecord, RequestAnswer } from '@smalt/failure-detection';

type Heard = Pick<IncidentFacts, 'readings' | 'fenceAnswer' | 'evacuationAnswers' | 'cleanUpAnswer'>;

interface EvacuationAnswer {
  /** Which of the requests for the instance was answered. */
  readonly request: string;
  readonly answer: RequestAnswer;
}

/** What was answered to the orders of an incident and is not in its record yet. A restart loses it, and that is fine. */
export class IncidentMemory {
  #readings: readonly PowerReading[] = [];
  #fenceAnswer: string | undefined;
  #cleanUpAnswer: Heard['cleanUpAnswer'];
  readonly #evacuations = new Map<string, EvacuationAnswer>();

  hearReading(reading: PowerReading): void {
    this.#readings = [...this.#readings, reading];
  }

  hearFence(answer: string): void {
    this.#fenceAnswer = answer;
  }

  hearCleanUp(isDone: boolean, message: string): void {
    this.#cleanUpAnswer = { isDone, message };
  }

  hearEvacuation(asked: RebuildRecord, answer: RequestAnswer): void {
    this.#evacuations.set(asked.id, { request: requestOf(asked), answer });
  }

  /** What the next decision about the incident has to know; an answer to an older request is none to the last one. */
  recall({ instances, readings }: Incident): Heard {
    const requests = new Map(instances.map((record) => [record.id, requestOf(record)]));
    const sessions = new Set(readings.map(({ session }) => session));
    const evacuationAnswers = new Map<string, RequestAnswer>();
    for (const [id, heard] of this.#evacuations) {
      if (heard.request === requests.get(id)) evacuationAnswers.set(id, heard.answer);
    }
    return {
      readings: this.#readings.filter(({ session }) => !sessions.has(session)),
      fenceAnswer: this.#fenceAnswer,
      cleanUpAnswer: this.#cleanUpAnswer,
      evacuationAnswers,
    };
  }

  /** Forgets what a decision that is stored has taken in. */
  forget(heard: Heard): void {
    this.#readings = this.#readings.filter((reading) => !heard.readings.includes(reading));
    if (this.#fenceAnswer === heard.fenceAnswer) this.#fenceAnswer = undefined;
    if (this.#cleanUpAnswer === heard.cleanUpAnswer) this.#cleanUpAnswer = undefined;
    for (const [id, answer] of heard.evacuationAnswers) {
      if (this.#evacuations.get(id)?.answer === answer) this.#evacuations.delete(id);
    }
  }
}

function requestOf({ attempts, asks }: RebuildRecord): string {
  return `${attempts}/${asks}`;
}
