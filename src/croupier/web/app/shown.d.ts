// What the page makes of the records: a table as it is shown, and what a family of games may ask of
// the page. The records themselves are in records.d.ts.

import type {
  AnswerMessage,
  BankedCommand,
  BankedEvent,
  BankedTableInfo,
  BankedView,
  Clock,
  ErrorMessage,
  EventsMessage,
  JackpotMessage,
  Me,
  PokerCommand,
  PokerEvent,
  PokerTableInfo,
  PokerView,
  QuestionView,
  RefusedMessage,
  TellingEntry,
  ViewMessage,
} from "./records.js";

export type Command = PokerCommand | BankedCommand;
export type EventName = (PokerEvent | BankedEvent)["event"];
export type Reply = AnswerMessage | RefusedMessage | ErrorMessage;

/** A view, or events with the view after them; the socket leaves out events that were seen. */
export type State = (ViewMessage | EventsMessage) & { events: TellingEntry[] };

/** A clock by the page's own time: when it ends. */
export interface RunningClock extends Clock {
  ends: number;
}

/** A table as the page shows it: the newest state, and what stands around it. */
export interface Shown<View, Sign> {
  view: View;
  sign: Sign;
  clock: RunningClock | null;
  jackpot: JackpotMessage | null;
  bots: string[];
  away: string[];
  ready: string[];
  me: string | null;
  place: string;
  /** Whether who looks on may sit down here. */
  maySit: boolean;
}
export type PokerShown = Shown<PokerView, PokerTableInfo>;
export type BankedShown = Shown<BankedView, BankedTableInfo>;

export type PokerTold = { event: PokerEvent };
export type BankedTold = { event: BankedEvent };

/** What a family asks of the page. */
export interface Asks {
  give(command: Command): Promise<Reply>;
  ready(): void;
  me(): Me;
  enter(): Promise<boolean>;
  say(sentence: string): void;
}

/** What the page asks of a family. The game of the hello says which views and events it is given. */
export interface Family {
  node: HTMLElement;
  stage: { node: HTMLElement; before(): void; after(events: { event: object }[]): void };
  update(table: Shown<object, object>): void;
  hear(events: { event: object }[], missed: boolean): void;
  /** What went before the first message, after a reload: nothing of it is played again. */
  recall(events: { event: object }[]): void;
  react(): void;
  spoken(): string;
  /** Whether its player has just won something. */
  hasWon(): boolean;
  /** Whether its player has chosen the answer to a question already. */
  answersAhead(asked: QuestionView): boolean;
}
