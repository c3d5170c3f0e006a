import type { CallOptions, ObjectEventMessage } from '../procedure.ts';
import type { EventRegistration } from './event-registration.ts';

/** The two calls that begin and end a registration for the events of one kind of object. */
export interface RegistrationCalls {
  register(eventID: number, options: CallOptions, onReply: (callbackID: number) => void): Promise<number>;
  deregister(callbackID: number): Promise<void>;
}

/** One registration per kind: that is how the daemon counts them. */
export function objectRegistrations<Event>(
  kinds: readonly ObjectEventMessage<string, Event>[],
  calls: RegistrationCalls,
): EventRegistration<Event>[] {
  return kinds.map(({ kind, eventID, message }) => ({
    kind,
    eventID,
    message,
    read: (reader) => message.read(reader).payload,
    register: (options, onCallbackID) => calls.register(eventID, options, onCallbackID),
    deregister: (callbackID) => calls.deregister(callbackID),
  }));
}
