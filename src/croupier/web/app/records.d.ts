// Made by `python -m tests.web.records` from the structs of the server; do not write here.
// Amounts are whole cents. A card is written as `As` or `Td`, and `??` where it may not be seen.

/** What happened to the record itself: an alarm about its copy, and what was done about it. */
export interface AlarmDay {
  at: string;
  who: string;
  says: string;
}

/** The ruling if nothing that matters is open, else what to ask, and the branches. */
export interface Answer {
  rulebook: string;
  title: string;
  incident: string;
  facts: Record<string, string>;
  given: Given[];
  ruling: Ruling | null;
  open: OpenFact[];
  branches: Branch[];
  assumed: Assumed[];
  impossible: string;
  unsaid: string;
  example: string;
}

/** One answer: the words of it, what it would do, and when it would be right. */
export interface AnswerChoice {
  says: string;
  would: string[];
  because: string;
  cites: string[];
}

/** The command was carried out and is stored. */
export interface AnswerMessage {
  is: "answer";
  id: string;
  positions: number[];
  again: boolean;
}

/** An option that somebody has chosen, so that the ruling goes on from there. */
export interface Answered {
  question: string;
  option: string;
}

/** Whatever can be read: nobody can tell any more whether it was so. One value is tried. */
export interface Anything {
  is: "anything";
  such_as: unknown;
}

/** Set up what a configuration names and the House does not have yet. */
export interface ApplyConfig {
  do: "apply configuration";
  links: Record<string, LinkConfig>;
  tables: Record<string, TableConfig>;
  staff: Record<string, "administrator" | "auditor" | "cashier" | "dealer" | "pit manager" | "pit supervisor" | "shift manager">;
  settings: Record<string, string>;
  reason: string;
  dry_run: boolean;
}

/** What waits for a second person and is no money, and what is approved. */
export interface ApprovalList {
  waiting: Record<number, WaitingApproval>;
  approved: Record<string, string>;
}

/** Approve another rulebook of a link; the tables that go on, each with the one it follows. */
export interface ApproveBook {
  do: "approve rulebook";
  link: string;
  proposal: number;
  tables: Record<string, string>;
}

/** Move everything up to the end of a gaming day to an archive, where this House has them. */
export interface ArchiveDay {
  do: "archive day";
  day: string;
  begins: string;
  zone: string;
  reason: string;
}

/** A question; `id` goes on with one that was asked before. */
export interface AskBody {
  question: Question;
  id?: string;
  who?: string;
  area?: string;
}

/** A question that a link waits for an answer to. */
export interface Asked {
  decision: number;
  question: string;
  says: string;
  options: string[];
}

/** Something that was asked in a lesson, and how it went. */
export interface AskedLine {
  called: string;
  title: string;
  says: string;
  cites: string[];
  right: boolean;
  answers: number;
  seconds: number;
  looked_up: boolean;
}

/** One question, and what may be answered. */
export interface AskedPart {
  ask: string;
  choices: string[];
}

/** Where somebody is to work, and when: at a table, in an area, or with neither on the floor. */
export interface Assignment {
  name: string;
  table: string;
  area: string;
  since: string;
  until: string | null;
  by: string;
}

/** Where somebody is to work, and when. */
export interface AssignmentLine {
  assignment: number;
  table: string;
  area: string;
  says: string;
  since: string;
  until: string | null;
  by: string;
}

/** Something that is not known and changes nothing, with what was taken. */
export interface Assumed {
  name: string;
  ask: string;
  says: string;
}

/** Somebody of the House's staff whom a table waits for. */
export interface AwaitedStaff {
  rank: string;
  whom: string;
  says: string;
}

/** One award that was paid. */
export interface Award {
  table: string;
  round: number;
  box: number;
  line: string;
  paid: number;
  meter_before: number;
  meter_after: number;
  taken_back: boolean;
}

/** One award of a jackpot link. */
export interface AwardSummary {
  table: string;
  round: number;
  box: number;
  line: string;
  paid: number;
  meter_before: number;
  meter_after: number;
}

/** What a player may read of a banked table. */
export interface BankedTableInfo {
  title: string;
  short: string;
  rulebook: string;
  version: number;
  regulator: string;
  in_force: boolean;
  superseded_by: string | null;
  marked: string;
  policies: Record<string, string>;
  seen: boolean;
  void: Consequence;
  boxes: number;
  limits: Record<string, number>;
  multiples: Record<string, number>;
  device: string;
  chips: number[];
  pays: PayTableInfo[];
  jackpot_rules: string[];
  not_showing: Consequence;
  bets_closed: Consequence;
}

/** The table as a viewer may see it. */
export interface BankedView {
  table: string;
  rulebook: string;
  round: number;
  status: "bets open" | "between rounds" | "closed" | "dealer" | "dealing" | "first decision" | "flop" | "jackpot" | "river" | "river decision" | "settling" | "turn" | "turn decision" | "not open";
  device: string;
  limits: Record<string, number>;
  boxes: Record<number, BoxView>;
  board: Card[];
  burns: number;
  dealer: Card[];
  dealer_hand: string;
  void: boolean;
  notice: string;
  progressive_taken: boolean;
  dealer_best: Card[];
  chips: number | null;
  racks: Record<string, number>;
  net: number | null;
  window: string;
  boxes_in_use: number;
  yours: number[];
  decisions: QuestionView[];
  waiting: string;
}

/** What was decided in a like case. */
export interface Before {
  id: string;
  when: string;
  who: string;
  decided: string;
  why: string;
  as_ruled: boolean | null;
  facts: Record<string, string>;
}

/** Begin a lesson, or an examination, which is always against the clock. */
export interface BeginBody {
  rulebook: string;
  examination?: boolean;
  clock?: boolean;
  kinds?: ("hand" | "odd chip" | "payout" | "ruling" | "side pots" | "wager")[];
}

/** A rulebook: its paragraphs, pay tables and policies. */
export interface BookDetails {
  book: BookSummary;
  sections: Record<string, string>;
  paragraphs: ParagraphSummary[];
  pays: (Record<string, unknown>)[];
  policies: PolicyDetails[];
}

/** A book that can be asked. */
export interface BookLine {
  id: string;
  title: string;
  short: string;
  family: string;
  word: string;
  policies: PolicyChoice[];
  discretion: string;
}

/** A book with everything that can go wrong under it. */
export interface BookPage {
  book: BookLine;
  groups: GroupLine[];
  incidents: IncidentLine[];
}

/** One of the rulebooks. */
export interface BookSummary {
  rulebook: string;
  title: string;
  short: string;
  version: number;
  family: string;
  regulator: string;
  effective: string | null;
  superseded_by: string | null;
  paragraphs: number;
}

/** The rulebooks. */
export interface Books {
  rulebooks: BookSummary[];
}

/** A drop box of an earlier tray that nobody has counted yet. */
export interface BoxLine {
  box: number;
  record: DropBox;
}

/** One box: `??` is a card that this viewer may not see. */
export interface BoxView {
  player: string;
  stakes: Record<string, number>;
  standing: "cancelled" | "folded" | "in" | "in for the finish" | "no hand" | "";
  cards: Card[];
  looked: boolean;
  chosen: string[];
  result: "cancelled" | "folded" | "lost" | "no hand" | "not shown" | "stand off" | "void" | "won" | null;
  hand: string;
  payouts: Record<string, Payout>;
  lines_due: string[];
  lines_paid: Record<string, number>;
  offers: string[];
  may: Offer[];
  makes: string;
  deemed: string;
  bonus_line: string;
  settled: string;
  why: Record<string, Reason>;
  best: Card[];
}

/** What is ruled if the first open fact is so: one ruling, or several by what else is open. */
export interface Branch {
  name: string;
  says: string;
  rulings: Ruling[];
}

/** Cards by the seat or box where they lie: some of these, at least so many in all. */
export interface BySeat {
  is: "by place";
  values: Record<number, Card[]>;
  least: number;
  unnamed: boolean;
  unseen: Card | null;
}

/** The server is about to close the connection. */
export interface ByeMessage {
  is: "bye";
  code: string;
  says: string;
}

/** The cage, and what came in as cash at tables. */
export interface CageDay {
  cash_in: number;
  cash_out: number;
  bank: number;
  transfers: number;
  corrections: number;
  at_tables: number;
}

/** Some cards that lie open, and whose they are. */
export interface CardsShown {
  label: string;
  cards: string[];
}

/** A case file as a question. */
export interface CaseQuestion {
  source: string;
  title: string;
  about: string;
  paragraphs: string[];
  question: Question;
}

/** What was asked in a lesson that is over, to be printed. */
export interface Certificate {
  trainee: string;
  line: LessonLine;
  ended: string;
  asked: AskedLine[];
  version: string;
}

/** What somebody has in one place, before and after, as one would write it. */
export interface Change {
  who: string;
  where: string;
  before: string;
  after: string;
}

/** The last words at a table. */
export interface Chat {
  lines: ChatMessage[];
}

/** A few words that a player said at a private table. */
export interface ChatMessage {
  is: "chat";
  player: string;
  words: string;
  at: string;
}

/** Compare the software with what it was at the last start; it is recorded who asked. */
export interface CheckFiles {
  do: "check files";
}

/** One thing that may be decided, with the details that it needs. */
export interface Choice {
  name: string;
  says: string;
  asks: Record<string, "box" | "card" | "cards" | "money" | "number" | "seat" | "seats" | "text">;
}

/** A paragraph that stands behind an answer, in our words. */
export interface Cited {
  rulebook: string;
  paragraph: string;
  title: string;
  says: string;
}

/** Who is waited for, and how long still. */
export interface Clock {
  for: number[];
  why: "action" | "bets" | "decision" | "next round" | "showdown" | "straddle";
  left: number;
  of: number;
  bank: number;
  on_bank: boolean;
}

/** The clock alone has changed, who is away or ready, or whether a ruling is being made. */
export interface ClockMessage {
  is: "clock";
  clock: Clock | null;
  away: string[];
  ready: string[];
  held: boolean;
  notice: string;
}

/** A code that a guest brings to another device. */
export interface CodeBody {
  code: string;
}

/** The ruling is to be carried out. */
export interface ConfirmBody {
  id: string;
  hold: number;
  reason?: string;
  pause?: boolean;
}

/** Somebody's word that the ruling wants: whose, on what, and why. */
export interface Confirmed {
  question: string;
  of: string;
  says: string;
  took: string;
  cites: string[];
  readings: string[];
}

/** What something that happens comes to, in a sentence, and by which paragraphs. */
export interface Consequence {
  says: string;
  cites: string[];
}

/** One copy, as the database remembers it. */
export interface CopyMark {
  copy: string;
  folder: string;
  held: number;
  alarm: string;
}

/** How often something came up. */
export interface Count {
  name: string;
  title: string;
  book: string;
  count: number;
}

/** What was counted of something. Amounts are cents. */
export interface Counted {
  of: string;
  rounds: number;
  rake: number;
  win: number;
  drop: number;
  irregularities: number;
  rulings: number;
  voids: number;
  misdeals: number;
}

/** A gaming day in figures. */
export interface DayFigures {
  day: string;
  start: string;
  end: string;
  hours: Counted[];
  tables: Counted[];
  games: Counted[];
  staff: StaffFigures[];
  total: Counted;
}

/** A gaming day. All amounts are cents. */
export interface DayReport {
  day: string;
  start: string;
  end: string;
  cage: CageDay;
  tables: TableDay[];
  jackpots: JackpotDay[];
  staff: StaffDay[];
  dealers: Dealt[];
  for_players: ForPlayer[];
  alarms: AlarmDay[];
  inventory: InventoryDay[];
  closed_by: string;
}

/** Something that the dealer may enter now. */
export interface DealEntry {
  kind: "act" | "mend" | "otherwise" | "people" | "step";
  says: string;
  key: string;
  seat: number | null;
  fields: EntryField[];
  command: Record<string, unknown>;
  word: boolean;
}

/** A hand-dealt table, for whoever deals there. */
export interface DealTable {
  place: string;
  position: number;
  you: string;
  tile: PitTile;
  seat_word: string;
  view: DealerView;
  entries: DealEntry[];
  decisions: PitDecision[];
  told: PitTold[];
  play: boolean;
}

/** One seat or box as everybody at the table sees it. */
export interface DealerSeat {
  seat: number;
  player: string;
  chips: number | null;
  bets: Record<string, number>;
  cards: Card[];
  says: string;
  marks: string[];
}

/** The table as its dealer sees it: only what lies face up. */
export interface DealerView {
  seats: DealerSeat[];
  awaited: number[];
  board: Card[];
  dealer: Card[];
  pot: number | null;
  chips: number[];
  real: boolean;
}

/** One dealer at one table, from coming there until going. */
export interface Dealt {
  table: string;
  dealer: string;
  since: string;
  until: string;
  first: number;
  last: number;
  rounds: number;
  relieved: string;
}

/** An answer to a question. */
export interface DecideBody {
  id: string;
  option: string;
  details?: Record<string, unknown>;
  reason?: string;
  pause?: boolean;
}

/** What was decided, and why if it was not as ruled. */
export interface DecidedBody {
  decided?: string;
  why?: string;
  as_ruled: boolean;
  who?: string;
}

/** What somebody must decide, and what each answer leads to. */
export interface Decision {
  question: string;
  says: string;
  of: string;
  by: "player" | "staff";
  options: Option[];
  cites: string[];
  holds: boolean;
}

/** What a page must know first. `token` goes with every change as X-Croupier-Token. */
export interface DeskHello {
  token: string;
  who: string | null;
  house: string;
  area: string;
  mode: string;
  log: boolean;
  approved: string[];
  ready: boolean;
}

/** What is disputed, by whom, and what he says. */
export interface DisputeBody {
  about: string;
  claim: string;
  patron?: string;
  days?: number | null;
}

/** One dispute. */
export interface DisputeSummary {
  dispute: number;
  about: string;
  place: string;
  round: number | null;
  position: number | null;
  patron: string;
  claim: string;
  by: string;
  at: string;
  deadline: string;
  sha256: string;
  settled: SettledSummary | null;
}

/** All of them, the newest first. */
export interface Disputes {
  disputes: DisputeSummary[];
  days: number;
}

/** What came of it, in a sentence. */
export interface Done {
  says: string;
}

/** The drop box of a tray that was closed, and that nobody has counted yet. */
export interface DropBox {
  table: string;
  opened_at: string;
  closed_at: string | null;
  closed_by: string;
}

/** Somebody at his post. An acting post is above his own, given by somebody who holds it. */
export interface Duty {
  post: "administrator" | "auditor" | "cashier" | "dealer" | "pit manager" | "pit supervisor" | "shift manager";
  area: string;
  since: string;
  acting: boolean;
}

/** The name under which a guest enters. */
export interface EnterBody {
  name: string;
  bot?: boolean;
}

/** One question in the log. */
export interface Entry {
  id: string;
  when: string;
  who: string;
  area: string;
  book: string;
  incident: string;
  title: string;
  question: Question;
  answer: Answer;
  told: Record<string, string>;
  status: "abandoned" | "decided" | "open" | "ruled";
  decided: string;
  why: string;
  as_ruled: boolean | null;
  decided_by: string;
  before: Before[];
  notes: EntryNote[];
  barred: string;
}

/** Something to be said with a command. */
export interface EntryField {
  name: string;
  kind: "cards" | "chips" | "choice" | "flag" | "money" | "text";
  ask: string;
  needed?: boolean;
  count?: number;
  least?: number | null;
  most?: number | null;
  values?: string[];
  usual?: unknown;
  trial?: unknown;
}

/** One question as a list shows it. */
export interface EntryLine {
  id: string;
  when: string;
  who: string;
  area: string;
  book: string;
  incident: string;
  title: string;
  told: Record<string, string>;
  status: "abandoned" | "decided" | "open" | "ruled";
  kind: string;
  headline: string;
  cites: string[];
  decided: string;
  why: string;
  as_ruled: boolean | null;
  decided_by: string;
  notes: EntryNote[];
  number: number;
  unreadable: string;
}

/** What somebody has noted to a question; it decides nothing. */
export interface EntryNote {
  when: string;
  who: string;
  says: string;
}

/** The shares of all hands that are in, or why there are none. */
export interface Equities {
  hands: HandEquity[];
  exact: boolean;
  says: string;
}

/** What no paragraph speaks of. */
export interface ErrorMessage {
  is: "error";
  id: string | null;
  code: string;
  says: string;
  wait?: number;
}

/** What has happened, and the table after it. */
export interface EventsMessage {
  is: "events";
  position: number;
  clock: Clock | null;
  jackpot: JackpotMessage | null;
  bots: string[];
  away: string[];
  ready: string[];
  held: boolean;
  caught_up: boolean;
  events: TellingEntry[];
  view: PokerView | BankedView;
}

/** What is shown of an exercise before somebody answers. */
export interface ExerciseAsked {
  kind: "hand" | "odd chip" | "payout" | "ruling" | "side pots" | "wager";
  called: string;
  rulebook: string;
  level: number;
  title: string;
  told: string[];
  parts: AskedPart[];
  cards: CardsShown[];
  seconds: number;
  look_up: Passage[];
}

/** Something that may be told of an incident. */
export interface FactLine {
  name: string;
  ask: string;
  kind: string;
}

/** What the log tells a manager; the commonest first. */
export interface Figures {
  entries: number;
  by_status: Record<string, number>;
  by_incident: Count[];
  by_book: Count[];
  by_area: Count[];
  by_hour: number[];
  discretion: Count[];
  otherwise: Count[];
  unreadable: number;
}

/** What a socket says first, for a page that asks before it has one. */
export interface FirstMessages {
  hello: HelloMessage;
  view: ViewMessage;
}

/** What one member of staff did for one player at one table, for one reason. */
export interface ForPlayer {
  table: string;
  staff: string;
  player: string;
  word: string;
  why: string;
  acts: number;
  brought: number;
}

/** A command at a table that a member of staff gives for a player: for whom and why. */
export interface ForPlayerBody {
  id: string;
  command: PokerCommand | BankedCommand;
  player: string;
  word: "cash" | "pin" | "seen";
  why: string;
  pin?: string;
}

/** A whole number, from the least to the most; only the two are tried. */
export interface From {
  is: "from";
  least: number;
  most: number;
}

/** Something that was said, in words: so that whoever reads the answer need not know the */
export interface Given {
  name: string;
  ask: string;
  kind: string;
  says: string;
  hangs_on: string[];
}

/** A command over HTTP; the table stands in the path. */
export interface GivenCommand {
  id: string;
  command: PokerCommand | BankedCommand;
  warned?: boolean;
}

/** Where a floor person looks for an incident. */
export interface GroupLine {
  name: string;
  title: string;
}

/** A code and for how many minutes it is good. */
export interface GuestCode {
  code: string;
  minutes: number;
}

/** What the guide says now: nothing while nobody waits for this player. */
export interface Guide {
  says: string[];
}

/** One hand's share of the pot, from 0 to 1. */
export interface HandEquity {
  seat: number;
  equity: number;
}

/** The hands of a file, and one of them to be played again. */
export interface HandsAnswer {
  hands: string[];
  more: boolean;
  replay: Replay;
  formats: string[];
}

/** A file of hands. */
export interface HandsBody {
  name: string;
  text: string;
  hand?: number;
  step?: number;
  format?: string;
}

/** Whether the server can do its work. Everybody is told the first two. */
export interface Health {
  status: string;
  code?: string;
  version?: string;
  mode?: string;
  tables?: number | null;
  viewers?: number | null;
  up?: number | null;
  alarms?: string[] | null;
  server?: string;
  servers?: string[] | null;
  runs?: string[] | null;
  lost?: string[] | null;
}

/** An act out of turn: held until the players before him have acted (v8 5.13). */
export interface HeldAct {
  seat: number;
  action: "all in" | "ask again" | "bet" | "call" | "check" | "fold" | "raise";
  to: number;
  price: number;
  upon: number | null;
  undermined: boolean;
  betting_round: number;
}

/** A percentage line of the jackpot that a box holds. */
export interface HeldLine {
  box: number;
  line: string;
  percent: string;
  dealt: string;
  instead: string | null;
  instead_pays: number;
}

/** The first message: which table this is, and who you are there. */
export interface HelloMessage {
  is: "hello";
  protocol: number;
  place: string;
  game: string;
  rulebook: string;
  you: string | null;
  position: number;
  sign: PokerTableInfo | BankedTableInfo;
  link: string | null;
  mode: string;
  closed: string;
  notice: string;
  shuffle: ShuffleMessage | null;
  private: boolean;
  delay: number;
}

/** A report that is to be confirmed: the table is held until then. */
export interface HoldBody {
  id: string;
  command: Record<string, unknown>;
}

/** Which hold is meant. */
export interface HoldOf {
  id: string;
  hold: number;
}

/** An incident that can come about under a book. */
export interface IncidentLine {
  name: string;
  group: string;
  title: string;
  words: string;
  common: boolean;
  cites: string[];
  facts: FactLine[];
}

/** One tray from its opening count to its closing count. Amounts are cents. */
export interface InventoryDay {
  table: string;
  opened_by: string;
  opened_at: string;
  opening: number;
  fills: number;
  credits: number;
  expected: number;
  closing: number | null;
  difference: number | null;
  closed_by: string;
  closed_at: string | null;
  cash_booked: number;
  drop: number | null;
  drop_difference: number | null;
}

/** One jackpot link. */
export interface JackpotDay {
  link: string;
  rulebook: string;
  meter_start: number;
  meter_end: number;
  put_in: number;
  awarded: number;
  hits: number;
}

/** The meter of the table's link. */
export interface JackpotMessage {
  is: "jackpot";
  link: string;
  meter: number;
  display: number;
  status: string;
}

/** One link as it stands. All amounts are cents. */
export interface JackpotReport {
  link: string;
  rulebook: string;
  tables: string[];
  status: string;
  meter: number;
  display: number;
  base: number;
  ceiling: number | null;
  contribution: number | null;
  contribution_rate: string | null;
  reserve_rate: string;
  unreasonable: number | null;
  overflow: number;
  reserve: number;
  parked: number;
  doubtful: number;
  contributed: number;
  hits: number;
  awarded: number;
  resets: number;
  proposals: number;
  last_awards: Award[];
  open_claims: OpenClaim[];
  questions: Asked[];
  changes: Waiting[];
}

/** The answer to a question, and where it is kept. */
export interface KeptAnswer {
  id: string;
  status: "abandoned" | "decided" | "open" | "ruled";
  answer: Answer;
  told: Record<string, string>;
  before: Before[];
  notes: EntryNote[];
  barred: string;
}

/** A kind of exercise under a book, and how somebody fared with it. */
export interface KindLine {
  kind: "hand" | "odd chip" | "payout" | "ruling" | "side pots" | "wager";
  called: string;
  right: number;
  asked: number;
}

/** A lesson as a list shows it. */
export interface LessonLine {
  lesson: string;
  rulebook: string;
  title: string;
  at: string;
  examination: boolean;
  clock: boolean;
  asked: number;
  length: number;
  score: number;
  over: boolean;
  passed: boolean;
}

/** A lesson as it stands: the exercise that waits, or nothing more if it is over. */
export interface LessonNow {
  line: LessonLine;
  number: number;
  again: boolean;
  exercise: ExerciseAsked | null;
  table: Replay | null;
  seconds_left: number | null;
}

/** An order at a jackpot link was carried out and is stored. */
export interface LinkAnswerMessage {
  is: "answer";
  id: string;
  positions: number[];
  again: boolean;
  told: string[];
}

/** A link with its rulebook, and what is proposed for it. */
export interface LinkBook {
  link: string;
  rulebook: string;
  proposals: Record<number, LinkBookProposal>;
}

/** Another rulebook of a link, which waits for a second person. */
export interface LinkBookProposal {
  kind: string;
  change: Record<string, unknown>;
  reason: string;
  who: string;
}

/** A jackpot link: its rulebook and its settings. */
export interface LinkConfig {
  rulebook: string;
  settings: Record<string, unknown>;
  policies: Record<string, string>;
}

/** A jackpot link as players may see it. */
export interface LinkDetails {
  link: string;
  rulebook: string;
  status: string;
  meter: number;
  display: number;
  reset_value: number;
  ceiling: number | null;
  overflow: number;
  hits: number;
  awarded: number;
  contributed: number;
  tables: string[];
  awards: AwardSummary[];
  rules: string[];
  pending: LinkPending | null;
}

/** What waits at a jackpot link, for the staff of the House. */
export interface LinkPending {
  claims: OpenClaim[];
  questions: Asked[];
  changes: Waiting[];
}

/** All jackpot links. */
export interface Links {
  links: LinkDetails[];
}

/** All tables and links, and where you wait for a seat. */
export interface Lobby {
  mode: string;
  tables: TableSummary[];
  links: JackpotMessage[];
  waiting: OwnPlace[];
}

/** The newest entries of the log, and whether there are more. */
export interface LogPage {
  entries: EntryLine[];
  more: boolean;
}

/** Name and password of an account. */
export interface LoginBody {
  name: string;
  password: string;
  code?: string;
  note?: string;
}

/** Somebody wants to report something, or to undo a ruling: the table is held from now on. */
export interface LookBody {
  id: string;
}

/** A signature was taken back. */
export interface MarkKept {
  seal: number;
  witness: string;
  again: boolean;
}

/** What came of an answer. */
export interface Marked {
  right: boolean;
  parts: MarkedPart[];
  ruling: Ruling | null;
  cites: string[];
  case: string;
  late: boolean;
}

/** One question with the answer that was given and the right one. */
export interface MarkedPart {
  ask: string;
  choices: AnswerChoice[];
  chosen: number | null;
  right: number;
}

/** Who you are here. `token` goes with every change as the header X-Croupier-Token. */
export interface Me {
  name: string | null;
  rank: string;
  post: string | null;
  on_duty: boolean;
  bot: boolean;
  token: string;
  play_money: number | null;
  seats: SeatAt[];
  mode: string;
}

/** What the last shuffle or pick was made of. */
export interface MixedMessage {
  seeds: ToldSeed[];
  unopened: string[];
  absent: string[];
}

/** Money that came to a player's account, or went from it, where and when. */
export interface Movement {
  place: string;
  at: string;
  amount: number;
}

/** Whole hands that go to other places: which goes where; or none. */
export interface Moves {
  is: "moves";
  places: number[];
  homes: number[] | null;
  goes_back: boolean;
}

/** All your rounds. */
export interface MyHands {
  rounds: MyRound[];
  unlisted: number;
  total: MySums;
  games: MySums[];
  sessions: MySums[];
  formats: string[];
}

/** One round that you have played. */
export interface MyRound {
  at: string;
  table: string;
  game: string;
  round: number;
  net: number;
}

/** Some rounds together. */
export interface MySums {
  of: string;
  until: string;
  rounds: number;
  won: number;
  lost: number;
  net: number;
}

/** What somebody notes to a question. */
export interface NoteBody {
  says: string;
  who?: string;
}

/** An action that would be accepted now; for a wager, from the least to the most. */
export interface Offer {
  do: string;
  least: number | null;
  most: number | null;
  word: string;
  step: number;
}

/** Something that the receiver may do now; `send` is the message that does it, as it is. */
export interface Offered {
  do: string;
  send: Record<string, unknown>;
  least?: number | null;
  most?: number | null;
  step?: number | null;
  says?: string;
}

/** What the receiver may do now, ready-made, for who has asked to be told so. */
export interface OffersMessage {
  is: "offers";
  position: number;
  round: number;
  chips: number | null;
  offers: Offered[];
}

/** An act of the office that is more than one order. */
export interface OfficeAct {
  act: ApplyConfig | ProposeBook | ApproveBook | CheckFiles | RenewCopy | ArchiveDay;
}

/** What the office said to an order: in sentences, and as its log has it. */
export interface OfficeAnswer {
  id: string;
  told: string[];
  said: unknown[];
}

/** What the office page shows before anything else. */
export interface OfficeGlance {
  you: string;
  role: string;
  post: string;
  may: string[];
  real_money: boolean;
  disabled: string;
  stopped: string[];
  on_duty: string[];
  roles: string[];
  tables: string[];
  areas: string[];
  day_closed: string | null;
  today: string;
  waits: OfficeWaits;
}

/** An order of the office. */
export interface OfficeOrder {
  id: string;
  command: unknown;
  secret?: string | null;
  old?: string | null;
  code?: string | null;
}

/** How much waits for a second person, or for somebody to see to it. */
export interface OfficeWaits {
  corrections: number;
  approvals: number;
  slips: number;
  called: number;
  waiting: number;
  open_trays: number;
  drop_boxes: number;
  player_reports: number;
}

/** One of these values; None where the field may be left out. */
export interface OneOf {
  is: "one of";
  values: unknown[];
}

/** A claim that waits to be paid. */
export interface OpenClaim {
  order: number;
  table: string;
  round: number;
  box: number;
  player: string;
  line: string;
  percent: string;
  amount: number;
  since: string;
  dealt: string;
}

/** Something that is not known and changes the ruling. */
export interface OpenFact {
  name: string;
  ask: string;
  kind: string;
  values: OpenValue[];
}

/** A value that somebody may name, and why it cannot be, if it cannot. */
export interface OpenValue {
  is: string;
  says: string;
  impossible: string;
}

/** One card of a shuffle, opened. */
export interface OpenedCard {
  index: number;
  place: number;
  card: string;
  salt: string;
  path: string[];
}

/** One of the answers, with what it leads to. */
export interface Option {
  name: string;
  says: string;
  asks: Record<string, string>;
  then: Sentence[];
}

/** A limit: cents on a day, or for `session` minutes; null takes it away, after a day. */
export interface OwnLimitBody {
  limit: "deposit" | "loss" | "session";
  to: number | null;
}

/** What counts now, and what will count and from when on. */
export interface OwnLimitNow {
  limit: "deposit" | "loss" | "session";
  to: number | null;
  will_be: number | null;
  since: string | null;
}

/** A player's own limits. */
export interface OwnLimits {
  limits: OwnLimitNow[];
  away_until: string | null;
  excluded: boolean;
}

/** What a round was for one player. */
export interface OwnPart {
  cards: Record<number, Card[]>;
  net: number | null;
}

/** Your own place on a waiting list. */
export interface OwnPlace {
  list_of: string;
  number: number;
  called_to: string;
}

/** One pot of a settled round: what it held, what was taken from it and who won it. */
export interface PaidPot {
  pot: string;
  amount: number;
  rake: number;
  winners: number[];
  hand: string;
  best: Card[];
}

/** A paragraph in our words. */
export interface Paragraph {
  id: string;
  title: string;
  says: string;
}

/** A paragraph with the readings that bite there. */
export interface ParagraphDetails {
  rulebook: string;
  paragraph: string;
  title: string;
  section: string;
  says: string;
  notes: Reading[];
  policies: PolicyDetails[];
}

/** A paragraph in our words, and in the approved ones where the operator has loaded them. */
export interface ParagraphPage {
  book: string;
  id: string;
  title: string;
  says: string;
  approved: string | null;
  notes: SettledReading[];
}

/** A paragraph in our own words. */
export interface ParagraphSummary {
  paragraph: string;
  title: string;
  section: string;
  says: string;
}

/** A paragraph in our words, for whoever looks it up. */
export interface Passage {
  id: string;
  title: string;
  says: string;
}

/** What has changed of a view. */
export interface Patch {
  set?: Record<string, unknown>;
  each?: Record<string, Record<string, Record<string, unknown> | null>>;
}

/** What has happened, and what it has changed of the view, for who takes patches. */
export interface PatchedMessage {
  is: "events";
  position: number;
  clock: Clock | null;
  jackpot: JackpotMessage | null;
  bots: string[];
  away: string[];
  ready: string[];
  held: boolean;
  caught_up: boolean;
  events: TellingEntry[];
  patch: Patch;
  from: number;
}

/** One line of a pay table. */
export interface PayLineInfo {
  line: string;
  title: string;
  pays: string;
}

/** One pay table, in the order of the text. */
export interface PayTableInfo {
  table: string;
  title: string;
  lines: PayLineInfo[];
  about: string;
}

/** What became of one bet. `paid` is all that was handed over: winnings and stake back. */
export interface Payout {
  staked: number;
  won: number;
  returned: number;
  lost: number;
}

/** The House's source picks, in the name of whoever asks for it. */
export interface PickBody {
  id: string;
}

/** A table as one sees it from above: no more than whoever stands there can see. */
export interface Picture {
  word: string;
  places: Place[];
  board: number;
  turn: number | null;
  pot: string;
}

/** Something to read out: a call, a warning, a notice. */
export interface PitAnnouncement {
  call: string;
  says: string;
  seat: number | null;
  at: string;
  cites: string[];
}

/** What came of an order, in sentences that everybody may hear. */
export interface PitAnswer {
  id: string;
  told: string[];
  happened: PitTold[];
  signed: string[];
  ruled: PitTold[];
  waits: PitWait[];
  undo: PitUndo;
  hold: PitHold | null;
}

/** One award that was paid: what stands on its slip. */
export interface PitAward {
  link: string;
  award: number;
  table: string;
  round: number;
  box: number;
  player: string;
  line: string;
  percent: string;
  paid: number;
  meter_before: number;
  meter_after: number;
  registered: number | null;
  completed: number;
  dealt: string | null;
  since: string | null;
  at: string;
  paid_by: string;
  post: string;
  cites: Cited[];
  witness: PitWitness | null;
  taken_back: boolean;
  mine: boolean;
  barred: string;
  hand: string[];
  board: string[];
}

/** Something that staff read out at such a table, in our words. */
export interface PitCall {
  call: string;
  says: string;
  cites: Cited[];
  due: boolean;
}

/** One thing that a link looks at before it goes live again. */
export interface PitCheck {
  says: string;
  holds: boolean;
}

/** A question that a table or link waits for. */
export interface PitDecision {
  place: string;
  at: "link" | "table";
  decision: number;
  question: string;
  says: string;
  whom: string;
  of: string;
  since: string;
  holds: boolean;
  cites: Cited[];
  options: PitOption[];
  mine: boolean;
  barred: string;
  reasons: string[];
}

/** Every question that waits, those of whoever asks first, then the oldest. */
export interface PitDecisions {
  decisions: PitDecision[];
}

/** Something that a report asks for. */
export interface PitField {
  name: string;
  ask: string;
  values: OneOf | SomeOf | BySeat | From | Moves | Anything | Words;
  usual: unknown;
}

/** Everything on the floor; what needs whoever asks stands first. */
export interface PitFloor {
  you: string;
  rank: string;
  now: string;
  tables: PitTile[];
  links: PitLink[];
  areas: string[];
  mine: number;
}

/** A table that is held, with the ruling that waits to be confirmed. */
export interface PitHeld {
  hold: PitHold;
  preview: PitRuling | null;
}

/** A table that somebody holds for a ruling. */
export interface PitHold {
  hold: number;
  by: string;
  post: string;
  says: string;
  since: string;
  until: string;
  mine: boolean;
  command: Record<string, unknown>;
}

/** One jackpot link at a glance. */
export interface PitLink {
  link: string;
  rulebook: string;
  status: string;
  meter: number;
  tables: string[];
  claims: number;
  waits: PitWait[];
  faults: string[];
  mine: boolean;
}

/** What staff need of a link beside its meter and claims. */
export interface PitLinkWork {
  link: string;
  rulebook: string;
  short: string;
  house_rank: string;
  parameters: PitParameters;
  parked: number;
  reserve: number;
  overflow: number;
  doubtful: number;
  lines: Record<string, string>;
  counts: Record<string, number>;
  checks: PitCheck[];
  awards: PitAward[];
}

/** A table that is held while somebody looks for what to report. */
export interface PitLooked {
  hold: PitHold;
  reports: PitReports;
}

/** One answer, and what follows from it. */
export interface PitOption {
  name: string;
  says: string;
  asks: Record<string, string>;
  follows: string;
  sentences: Sentence[];
  cards: Way[];
  money: Change[];
  paragraphs: Paragraph[];
}

/** The parameters of a link that two people may change; null where there is none. */
export interface PitParameters {
  reset_value: number;
  contribution: number | null;
  contribution_rate: string | null;
  reserve_rate: string;
  ceiling: number | null;
  unreasonable: number | null;
  display_pace: number | null;
}

/** A report that can be true now. */
export interface PitReport {
  do: string;
  title: string;
  says: string;
  fields: PitField[];
  command: Record<string, unknown>;
}

/** What can be reported at a table at this moment, and what is read out there. */
export interface PitReports {
  place: string;
  position: number;
  reports: PitReport[];
  undo: boolean;
  undo_says: string;
  calls: PitCall[];
}

/** A ruling before it is confirmed, computed on a copy of the table. */
export interface PitRuling {
  place: string;
  position: number;
  ruling: Ruling;
  signs: string[];
  yours: boolean;
}

/** One table at a glance. */
export interface PitTile {
  place: string;
  area: string;
  game: string;
  rulebook: string;
  short: string;
  stage: string;
  round: number;
  turn: number | null;
  player: string;
  since: string;
  money: number;
  seated: number;
  seats: number;
  dealt_by: "hand" | "house";
  acting: "device" | "seen";
  dealer: string;
  due: string;
  link: string | null;
  waits: PitWait[];
  faults: string[];
  hold: PitHold | null;
  announced: PitAnnouncement[];
  assigned: string;
  mine: boolean;
}

/** Something that happened, as everybody at the table may hear it. */
export interface PitTold {
  says: string;
  ruling: boolean;
  cites: string[];
  at: string | null;
}

/** Whether the last ruling can be undone. */
export interface PitUndo {
  may: boolean;
  says: string;
}

/** Something that a table or link waits for. */
export interface PitWait {
  kind: "approval" | "decision" | "payment" | "pick" | "turn" | "witness";
  whom: string;
  says: string;
  since: string;
  mine: boolean;
  decision: number | null;
  award: number | null;
  holds: boolean;
}

/** The second person of a payment. */
export interface PitWitness {
  by: string;
  post: string;
  at: string;
}

/** One seat or box as one sees it from above. */
export interface Place {
  number: number;
  marks: string[];
  cards: number;
  money: Record<string, string>;
}

/** A table or link as it was set up. */
export interface PlaceLine {
  name: string;
  record: PlaceRecord;
}

/** A table or link as the operator set it up. */
export interface PlaceRecord {
  kind: "link" | "table";
  rulebook: string;
  settings: Record<string, unknown>;
  policies: Record<string, string>;
  link: string;
  area: string;
  closed: boolean;
  disabled: string;
  follows: string;
  clocks: Record<string, number>;
  last_round: number;
  closing: string;
  server: string;
  bots: number;
}

/** What one place has taken and given. */
export interface PlayedAt {
  place: string;
  paid: number;
  received: number;
}

/** A player, with what the account holds in cents. */
export interface PlayerLine {
  name: string;
  account: number;
  bot: boolean;
  cash: boolean;
  disabled: string;
}

/** A player whom another one has reported to the pit. */
export interface PlayerReport {
  table: string;
  round: number;
  player: string;
  by: string;
  says: string;
  at: string;
}

/** What a player may read of a poker table. */
export interface PokerTableInfo {
  title: string;
  short: string;
  rulebook: string;
  version: number;
  regulator: string;
  in_force: boolean;
  superseded_by: string | null;
  marked: string;
  policies: Record<string, string>;
  seen: boolean;
  void: Consequence;
  seats: number;
  blinds: number[];
  minimum_stake: number;
  maximum_stake: number | null;
  chips: number[];
  straddle: boolean;
  betting: string;
  rake: RakeInfo;
}

/** A poker table as a viewer may see it. */
export interface PokerView {
  table: string;
  rulebook: string;
  status: "betting" | "between rounds" | "blinds" | "cutting" | "dealing" | "drawing for the button" | "face down" | "flop due" | "marker due" | "open" | "ready" | "river due" | "settling" | "showdown" | "shuffling" | "shuffling for the button" | "turn due";
  round: number;
  seats: Record<number, SeatView>;
  button: number | null;
  small_blind: number | null;
  big_blind: number | null;
  straddle: number | null;
  board: Card[];
  pots: PotFacts[];
  betting_round: number | null;
  price: number;
  turn: number | null;
  game_marker: string | null;
  offers: Record<number, Offer[]>;
  yours: number[];
  face_down: number;
  minimum_raise_to: number;
  pot: number;
  rake: number;
  settlement: PaidPot[];
  voided: string;
  decisions: QuestionView[];
  waiting: string;
}

/** A policy of the house: what it settles, what is usual, and what else there is. */
export interface PolicyChoice {
  name: string;
  says: string;
  value: string;
  values: string[];
}

/** A point that the operator may choose. */
export interface PolicyDetails {
  policy: string;
  reading: string;
  question: string;
  values: Record<string, string>;
  default: string;
}

/** The answer to a ping. */
export interface PongMessage {
  is: "pong";
  ping: number;
}

/** One seat or box: what its players brought, staked, got and took away. */
export interface PositionDay {
  buy_in: number;
  relocated: number;
  wagered: number;
  won: number;
  cash_out: number;
  cash: number;
}

/** A Main or Side Pot: its chips and who paid into it. Once made it is kept. */
export interface Pot {
  amount: number;
  seats: number[];
  closed: boolean;
}

/** One pot: its chips and who may still win it. */
export interface PotFacts {
  amount: number;
  seats: number[];
}

/** A report, an answer, or the undoing of a ruling, that is to be looked at first. */
export interface PreviewBody {
  command: Record<string, unknown>;
}

/** A private table, and the path that is sent to friends. */
export interface PrivateTable {
  place: string;
  path: string;
}

/** A table to be made: its rulebook, its Small Blind in cents (the Big Blind is twice that), and */
export interface PrivateTableBody {
  rulebook: string;
  small_blind: number;
  bots?: number;
}

/** A correction of accounts that waits for a second person. */
export interface Proposal {
  moves: Record<string, number>;
  reason: string;
  who: string;
}

/** Close the tables of a link for good, and propose another rulebook for it. */
export interface ProposeBook {
  do: "propose rulebook";
  link: string;
  rulebook: string;
  reason: string;
}

/** What is asked: an incident of the catalogue and what is known of it, or a whole situation */
export interface Question {
  rulebook: string;
  incident?: string;
  facts?: Record<string, string>;
  policies?: Record<string, string>;
  answers?: Answered[];
  situation?: Record<string, unknown>;
  step?: (Record<string, unknown>)[];
  report?: (Record<string, unknown>)[];
  title?: string;
}

/** A decision that the table waits for, as a viewer sees it. */
export interface QuestionView {
  decision: number;
  question: string;
  says: string;
  of: number | "player" | "dealer" | "pit supervisor" | "pit manager" | "shift manager" | "house";
  yours: boolean;
  options: Choice[];
  holds: boolean;
  cites: string[];
}

/** The charge as it is stated at the table: a percentage with its cap, or a timed amount. */
export interface RakeInfo {
  percent: string | null;
  cap: number | null;
  timed: number | null;
  minutes: number | null;
}

/** How an open point of the text is read. */
export interface Reading {
  reading: string;
  question: string;
  answer: string;
}

/** Why one bet came out as it did. */
export interface Reason {
  says: string;
  cites: string[];
}

/** The book does not allow it. */
export interface RefusedMessage {
  is: "refused";
  id: string;
  says: string;
  cites: Cited[];
}

/** Have the copy of the log made anew from the database. */
export interface RenewCopy {
  do: "renew copy";
  reason: string;
}

/** A whole round, as one viewer saw it. */
export interface Replay {
  kind: "case" | "hand" | "round";
  title: string;
  game: string;
  rulebook: string;
  book: string;
  place: string;
  round: number;
  seen_as: string;
  sign: Record<string, unknown>;
  start: Record<string, unknown>;
  steps: ReplayStep[];
  titles: Record<string, string>;
  about: string;
  paragraphs: Record<string, string>;
  players: string[];
  jackpot: ReplayJackpot | null;
  final: boolean;
}

/** A round to be played again, and what may be asked of it. */
export interface ReplayAnswer {
  replay: Replay;
  seen_as: string[];
  formats: string[];
}

/** An event as the viewer saw it, in words, with its paragraphs. */
export interface ReplayEvent {
  event: Record<string, unknown>;
  told: string;
  cites: string[];
  place: string;
}

/** The meter of the table's link after a step. */
export interface ReplayJackpot {
  link: string;
  meter: number;
  status: string;
}

/** One order, what came of it, and what it changed on the table. */
export interface ReplayStep {
  events: ReplayEvent[];
  changes: Record<string, unknown>;
  at: string;
  who: string;
  note: string;
  refused: boolean;
  jackpot: ReplayJackpot | null;
}

/** Who is reported to the pit, and why. */
export interface ReportPlayerBody {
  player: string;
  says: string;
}

/** A table: how many sit there, and which seats are free. */
export interface RoomTable {
  table: string;
  area: string;
  seated: number;
  seats: number;
  free: number[];
  players: string[];
  relocates: boolean;
}

/** A member of staff with post, licence, and where he is to work. */
export interface RosterEntry {
  name: string;
  role: string | null;
  duty: Duty | null;
  licence: string;
  licence_until: string | null;
  assignments: Record<number, Assignment>;
}

/** A member of staff: his role and post, his licence, and where he is assigned. */
export interface RosterLine {
  name: string;
  role: string;
  post: string;
  acting: boolean;
  since: string | null;
  licence: string;
  licence_until: string | null;
  unlicensed: string;
  assignments: AssignmentLine[];
  deals_at: string[];
  disabled: string;
}

/** Who works here, where and until when; areas and tables that somebody can be assigned to. */
export interface RosterPage {
  staff: RosterLine[];
  areas: string[];
  tables: string[];
}

/** One round as you were allowed to see it. It is a recall, not the table as it stands. */
export interface RoundRecalled {
  recall: boolean;
  place: string;
  round: number;
  events: TellingEntry[];
}

/** The shuffles of a round that is over. */
export interface RoundShuffles {
  place: string;
  round: number;
  shuffles: ShuffleProof[];
}

/** Where a round stands in the log, and how it ended. */
export interface RoundSummary {
  round: number;
  first: number;
  last: number;
  began: string;
  ended: string | null;
  told: string;
  cites: string[];
  yours: OwnPart | null;
  voided: boolean;
}

/** The last rounds of a table, the newest first. It is a recall, not the table as it stands. */
export interface RoundsRecalled {
  recall: boolean;
  place: string;
  rounds: RoundSummary[];
}

/** What was asked of whoever rules. */
export interface RuledOn {
  says: string;
  about: Record<string, unknown>;
  first: string;
}

/** What the book makes of a question. */
export interface Ruling {
  kind: "choice" | "discretion" | "refused" | "ruling";
  headline: string;
  sentences: Sentence[];
  cards: Way[];
  money: Change[];
  decisions: Decision[];
  signed_by: string[];
  confirmed: Confirmed[];
  readings: Settled[];
  next: string[];
  paragraphs: Paragraph[];
  tables: Record<string, Picture>;
}

/** A few words. */
export interface SayBody {
  words: string;
}

/** An answer: for each question the number of a choice, counted from 0, or null. */
export interface SchoolAnswerBody {
  number: number;
  chosen: (number | null)[];
  looked_up?: boolean;
}

/** A book to learn, and where somebody stands in it. */
export interface SchoolBookLine {
  rulebook: string;
  title: string;
  level: number;
  levels: number;
  asked: number;
  right: number;
  streak: number;
  best_streak: number;
  known: number;
  items: number;
  due: number;
  kinds: KindLine[];
  last: string | null;
}

/** What came of an answer, and where one stands then. */
export interface SchoolMarked {
  marked: Marked;
  case_title: string;
  line: LessonLine;
  book: SchoolBookLine;
  level_up: boolean;
}

/** What somebody finds at school. */
export interface SchoolPage {
  trainee: string | null;
  books: SchoolBookLine[];
  lessons: LessonLine[];
  supervises: boolean;
}

/** Seals as a House tells them over HTTP. */
export interface SealsTold {
  newest: number;
  seals: SignedSeal[];
}

/** Something that the words point to. */
export interface SearchHit {
  kind: "case" | "incident" | "paragraph";
  name: string;
  title: string;
  says: string;
  book: string;
}

/** What the words point to, best first. */
export interface SearchHits {
  hits: SearchHit[];
}

/** A seat or box that somebody has at a table. */
export interface SeatAt {
  place: string;
  seat: number;
}

/** One seat as the viewer may see it. */
export interface SeatView {
  player: string;
  stake: number;
  here: boolean;
  bet: number;
  dead_post: number;
  active: boolean;
  all_in: boolean;
  cards: Card[];
  face_up: Card | null;
  hand: string;
  makes: string;
  looked: boolean;
  folded: boolean;
  mucked: boolean;
  put_in: number;
  won: number;
  missed: string;
  missed_marker: boolean;
  entering: string;
  rake_due: number;
}

/** Somebody who sits at a table. */
export interface SeatedPlayer {
  seat: number;
  player: string;
  stake: number | null;
  bot: boolean;
  away: boolean;
}

/** The password is right, and a second factor is to be set up: the key for it. */
export interface SecondFactorNeeded {
  error: string;
  says: string;
  key: string;
  address: string;
  note: string;
}

/** The hash of a seed that a player had sent before the House committed. */
export interface SentHash {
  player: string;
  hash: string;
}

/** What happens, and under which paragraphs. */
export interface Sentence {
  says: string;
  cites: string[];
}

/** What it came to. */
export interface SettleBody {
  outcome: string;
  in_favour_of: "house" | "neither" | "patron";
  inspector?: string;
  inspector_rank?: string;
}

/** A settled reading that a ruling rests on, because the text alone does not decide it. */
export interface Settled {
  reading: string;
  paragraphs: string[];
  question: string;
  says: string;
  policy: string;
  otherwise: string[];
}

/** What was settled on a paragraph. */
export interface SettledReading {
  reading: string;
  question: string;
  answer: string;
}

/** What a dispute came to, and who had the last word. */
export interface SettledSummary {
  outcome: string;
  in_favour_of: "house" | "neither" | "patron";
  inspector: string;
  inspector_rank: string;
  by: string;
  at: string;
}

/** What the House has bound itself to, and how far the shuffle is. */
export interface ShuffleMessage {
  is: "shuffle";
  stage: "committed" | "mixed" | "nothing" | "opening";
  next: number;
  number: number;
  for_round: number;
  digest: string;
  root: string;
  cards: number;
  seeds: SentHash[];
  mixed: MixedMessage | null;
}

/** One shuffle of a round: what was told before it, and the cards of it that you were allowed */
export interface ShuffleProof {
  made: "leaves" | "mixed";
  purpose: string;
  root: string;
  cards: number;
  openings: OpenedCard[];
  table: string;
  number: number;
  digest: string;
  committed_root: string;
  hashes: SentHash[];
  seeds: ToldSeed[];
  unopened: string[];
  absent: string[];
  counter: number;
  leaves: string;
}

/** A seal as it is kept and handed on: its body as it was signed, and the signature. */
export interface SignedSeal {
  body: string;
  signature: string;
}

/** A fill or credit that waits for a second signature. */
export interface Slip {
  kind: "credit" | "fill";
  table: string;
  chips: Record<number, number>;
  amount: number;
  reason: string;
  by: string;
  at: string;
}

/** A fill or credit that waits for a second signature. */
export interface SlipLine {
  slip: number;
  record: Slip;
}

/** Some of these, each once, at least so many. A `??` among them stands for any unseen card; */
export interface SomeOf {
  is: "some of";
  values: unknown[];
  least: number;
  unnamed: boolean;
  unseen: Card | null;
}

/** One member of staff in one area: what he ruled and reported there. */
export interface StaffDay {
  name: string;
  rank: string;
  area: string;
  decisions: number;
  rulings: number;
  voids: number;
  irregularities: number;
  by_the_book: number;
}

/** The post that a visitor of the demonstration wants to try, and under which name. */
export interface StaffDoorBody {
  name: string;
  post: "dealer" | "pit manager" | "pit supervisor" | "shift manager";
}

/** What one member of staff ruled and reported. */
export interface StaffFigures {
  of: string;
  decisions: number;
  rulings: number;
  voids: number;
  irregularities: number;
}

/** A member of staff. */
export interface StaffLine {
  name: string;
  role: string | null;
  duty: Duty | null;
  disabled: string;
}

/** What a player has played: deposits and withdrawals, and table by table. */
export interface Statement {
  days: number;
  deposits: number;
  withdrawals: number;
  tables: PlayedAt[];
  net: number;
  movements: Movement[];
  unlisted: number;
}

/** For how many days he does not want to play: a break, or exclusion. */
export interface StayAwayBody {
  days: number;
  exclusion?: boolean;
}

/** Somebody could be moved. */
export interface Suggestion {
  table: string;
  to: string;
  says: string;
}

/** A table: its rulebook, its settings, and the link that it hangs on. */
export interface TableConfig {
  rulebook: string;
  settings: Record<string, unknown>;
  policies: Record<string, string>;
  link: string | null;
  area: string;
  bots: number;
  clocks: Record<string, number>;
}

/** One table. */
export interface TableDay {
  table: string;
  rulebook: string;
  area: string;
  rounds: number;
  voids: number;
  misdeals: number;
  irregularities: number;
  by_the_book: number;
  rulings: number;
  buy_in: number;
  cash_out: number;
  relocated: number;
  rake: number;
  win: number;
  from_jackpot: number;
  unclaimed: number;
  cash: number;
  positions: Record<number, PositionDay>;
}

/** One table with the information on it. */
export interface TableDetails {
  table: TableSummary;
  sign: PokerTableInfo | BankedTableInfo;
}

/** What a table has done since it was first opened. */
export interface TableReport {
  place: string;
  rulebook: string;
  rounds: number;
  events: number;
  house: number;
  from_meter: number;
  seated: number;
  watching: number;
}

/** All tables. */
export interface TableReports {
  tables: TableReport[];
}

/** A table as the lobby shows it. */
export interface TableSummary {
  place: string;
  game: string;
  rulebook: string;
  title: string;
  short: string;
  version: number;
  marked: string;
  limits: Record<string, number>;
  seats: number;
  players: SeatedPlayer[];
  status: string;
  round: number;
  link: string | null;
  meter: number | null;
  watching: number;
  delay: number;
  private: boolean;
  closed: string;
  notice: string;
  waits: AwaitedStaff | null;
  by_hand: boolean;
}

/** An event as one audience gets it. */
export interface TellingEntry {
  position: number;
  at: string;
  event: PokerEvent | BankedEvent;
  told: string;
  cites: string[];
  timed_out?: boolean;
}

/** A seed that a player has opened. */
export interface ToldSeed {
  player: string;
  seed: string;
}

/** What one trainee knows under each book that they have begun. */
export interface TraineeLine {
  trainee: string;
  books: SchoolBookLine[];
  examinations: LessonLine[];
}

/** Who knows what, for whoever supervises. */
export interface Trainees {
  trainees: TraineeLine[];
}

/** The trays of tables since the last gaming day was closed, and the slips that wait. */
export interface Trays {
  trays: InventoryDay[];
  slips: SlipLine[];
  boxes: BoxLine[];
  day_closed: string | null;
  chips: Record<string, number[]>;
}

/** What one table keeps safe for one player. The amount is cents. */
export interface Unclaimed {
  table: string;
  player: string;
  amount: number;
  since: string;
}

/** The table as the receiver may see it. */
export interface ViewMessage {
  is: "view";
  position: number;
  view: PokerView | BankedView;
  clock: Clock | null;
  jackpot: JackpotMessage | null;
  bots: string[];
  away: string[];
  ready: string[];
  held: boolean;
  missed: number;
}

/** A change of a link that waits for a second person. */
export interface Waiting {
  proposal: number;
  kind: string;
  change: Record<string, unknown>;
  proposed_by: string;
  reason: string;
}

/** What waits for a second person, and is no money. */
export interface WaitingApproval {
  what: "seal key" | "software";
  digest: string;
  reason: string;
  who: string;
}

/** The list of an area or table. */
export interface WaitingList {
  list_of: string;
  tables: string[];
  names: WaitingName[];
}

/** A name on a list, with its number. */
export interface WaitingName {
  number: number;
  player: string;
  since: string;
  called: string | null;
  called_to: string;
  note: string;
  seated: boolean;
}

/** Every list, every table, and what could be done. */
export interface WaitingRooms {
  lists: WaitingList[];
  tables: RoomTable[];
  suggestions: Suggestion[];
}

/** The links of a wall, and when this was so. */
export interface WallAnswer {
  at: string;
  links: WallLink[];
}

/** A jackpot that was won a short while ago. */
export interface WallAward {
  amount: number;
  table: string;
  line: string;
  at: string;
  player: string | null;
}

/** One jackpot link as a screen shows it. */
export interface WallLink {
  link: string;
  status: "claim pending" | "closed" | "ended" | "open" | "out of service";
  amount: number | null;
  says: string;
  cites: string[];
  tables: string[];
  claims: string[];
  won: WallAward[];
}

/** So many cards from one place to another; `cards` are those that were named. */
export interface Way {
  count: number;
  leaves: string;
  goes: string;
  cards: string[];
}

/** What a player wishes; what is left out stays as it was. */
export interface WishBody {
  leave?: boolean | null;
  sit_out?: boolean | null;
  add?: number | null;
}

/** What waits for its moment. */
export interface WishesNow {
  leave: boolean;
  sit_out: boolean;
  add: number;
  says: string;
}

/** You have seen the hand and the payment. */
export interface WitnessBody {
  id: string;
}

/** A seal, signed back by somebody who keeps it. */
export interface WitnessMark {
  seal: number;
  digest: string;
  witness: string;
  at: string;
  key: string;
  signature: string;
}

/** Anything in words. */
export interface Words {
  is: "words";
  needed: boolean;
}

export type Card = string;

export type Message = HelloMessage | ViewMessage | EventsMessage | PatchedMessage | ClockMessage | JackpotMessage | ShuffleMessage | OffersMessage | AnswerMessage | RefusedMessage | ErrorMessage | ChatMessage | PongMessage | ByeMessage;

export type PokerCommand =
  | { do: "all in"; seat: number }
  | { do: "bet"; seat: number; to: number }
  | { do: "call"; seat: number }
  | { do: "check"; seat: number }
  | { do: "decide"; decision: number; option: string; details?: Record<string, unknown>; reason?: string }
  | { do: "decline straddle"; seat: number }
  | { do: "divide pot"; seat: number }
  | { do: "fold"; seat: number }
  | { do: "leave"; seat: number }
  | { do: "look"; seat: number }
  | { do: "muck"; seat: number }
  | { do: "post blind"; seat: number }
  | { do: "raise"; seat: number; to: number }
  | { do: "reduce stake"; seat: number; amount: number }
  | { do: "return to seat"; seat: number }
  | { do: "show hand"; seat: number; cards?: Card[] }
  | { do: "sit"; seat: number; player: string; stake: number }
  | { do: "sit out"; seat: number; returns?: boolean }
  | { do: "straddle"; seat: number; to?: number | null }
  | { do: "top up"; seat: number; amount: number };

export type PokerEvent =
  | { event: "absence ruled"; cites: string[]; choice: string; blind: "big" | "small" }
  | { event: "action taken back"; cites: string[]; seat: number; alone: boolean }
  | { event: "all in button placed"; cites: string[]; seat: number }
  | { event: "announced"; cites: string[]; call: "opening call" | "closing call" | "warning" | "notice"; says: string; seat: number | null }
  | { event: "asked again"; cites: string[]; seats: number[] }
  | { event: "bars lifted"; cites: string[]; seat: number; until: "betting round" | "round" | "turn" }
  | { event: "bet placed"; cites: string[]; seat: number; to: number; minimum: number; all_in: boolean }
  | { event: "betting round closed"; cites: string[]; number: number; pots: Pot[]; final: boolean }
  | { event: "blind missed"; cites: string[]; seat: number; blind: "big" | "small"; marker: boolean; here: boolean }
  | { event: "blind posted"; cites: string[]; seat: number; live: number; dead: number; all_in: boolean }
  | { event: "blinds called"; cites: string[]; round: number; at: string; button: number; small_blind: number | null; big_blind: number; players: number[]; posts: Record<number, number>; button_out: boolean; superseded: boolean; policies: Record<string, string> }
  | { event: "button card dealt"; cites: string[]; seat: number; card: Card }
  | { event: "button cards collected"; cites: string[]; cards: Card[] }
  | { event: "button given"; cites: string[]; seat: number }
  | { event: "button placed"; cites: string[]; seat: number }
  | { event: "button won"; cites: string[]; seat: number; card: Card }
  | { event: "call withdrawn"; cites: string[] }
  | { event: "called"; cites: string[]; seat: number; to: number; all_in: boolean }
  | { event: "came back"; cites: string[]; seat: number }
  | { event: "card burnt"; cites: string[]; card: Card; street: "flop" | "river" | "turn" }
  | { event: "card exchanged"; cites: string[]; card: Card; new: Card; seat: number | null; street: "flop" | "river" | "turn" | null; down: boolean }
  | { event: "card taken away"; cites: string[]; card: Card; street: "flop" | "river" | "turn"; down: boolean }
  | { event: "cards placed"; cites: string[]; cards: Card[]; place: "board" | "burn" | "discard" | "hand" | "shoe" | "stored burn"; street: "flop" | "river" | "turn" | null; seat: number | null }
  | { event: "cards scrambled"; cites: string[]; street: "flop" | "river" | "turn"; burn: number; board: number; stored: number; picked: boolean }
  | { event: "cards shown"; cites: string[]; seat: number; cards: Card[]; to: number[]; due: string }
  | { event: "cards shuffled in"; cites: string[]; street: "flop" | "river" | "turn"; cards: Card[]; order: Card[]; also: ("flop" | "river" | "turn")[] }
  | { event: "cards taken back"; cites: string[]; street: "flop" | "river" | "turn"; cards: Card[]; reopens: boolean }
  | { event: "checked"; cites: string[]; seat: number }
  | { event: "chips forfeited"; cites: string[]; seat: number; amount: number }
  | { event: "chips moved"; cites: string[]; giver: number; taker: number; amount: number }
  | { event: "chips returned"; cites: string[]; seat: number; bet: number; dead: number; pot: number; named: number; reason: string }
  | { event: "community turned up"; cites: string[]; street: "flop" | "river" | "turn"; cards: Card[]; all_up: boolean }
  | { event: "decision needed"; cites: string[]; decision: number; question: string; says: string; options: Choice[]; of: number | "player" | "dealer" | "pit supervisor" | "pit manager" | "shift manager" | "house"; holds: boolean; about: Record<string, unknown>; not_by: string }
  | { event: "decision taken"; cites: string[]; decision: number; question: string; option: string; details: Record<string, unknown>; reason: string; who: string; rank: "player" | "dealer" | "pit supervisor" | "pit manager" | "shift manager" | "house"; entered_for: number | null; cards: string[] }
  | { event: "deck confirmed"; cites: string[]; new: boolean }
  | { event: "deck cut"; cites: string[]; cards: number }
  | { event: "deck shuffled"; cites: string[] }
  | { event: "deck taken back"; cites?: string[]; reason: string; misdeal?: boolean }
  | { event: "draw given"; cites: string[]; need: number; purpose: string; picks: number[]; who: string }
  | { event: "draw needed"; cites: string[]; need: number; purpose: string; pick: number; among: number; of: "player" | "dealer" | "pit supervisor" | "pit manager" | "shift manager" | "house" }
  | { event: "early act fell"; cites: string[]; seat: number; action: "all in" | "ask again" | "bet" | "call" | "check" | "fold" | "raise"; back: number }
  | { event: "early act held"; cites: string[]; seat: number; action: "all in" | "ask again" | "bet" | "call" | "check" | "fold" | "raise"; to: number; price: number; why: string; upon: number | null }
  | { event: "early act stands"; cites: string[]; seat: number; action: "all in" | "ask again" | "bet" | "call" | "check" | "fold" | "raise"; to: number }
  | { event: "early cards held"; cites: string[]; street: "flop" | "river" | "turn"; cards: Card[]; affected: number[] }
  | { event: "early cards kept"; cites: string[]; street: "flop" | "river" | "turn"; kept: boolean }
  | { event: "entry chosen"; cites: string[]; seat: number; choice: string }
  | { event: "entry settled"; cites: string[]; seat: number; plays: boolean; live: number; dead: number; button: number }
  | { event: "exposed card replaced"; cites: string[]; seat: number; card: Card; new: Card }
  | { event: "exposed in deal"; cites: string[]; seat: number; card: Card }
  | { event: "flop dealt"; cites: string[]; cards: Card[]; burnt: Card | null; up: boolean }
  | { event: "folded"; cites: string[]; seat: number }
  | { event: "game started"; cites: string[] }
  | { event: "hand declared dead"; cites: string[]; seat: number; reason: string; final: boolean }
  | { event: "hand shown"; cites: string[]; seat: number; cards: Card[]; hand: string; worth: number }
  | { event: "hands down again"; cites: string[] }
  | { event: "hands reconstructed"; cites: string[]; hands: Record<number, Card[]>; drawn: Card[]; back: Card[] }
  | { event: "hole cards dealt"; cites: string[]; to: number[]; cards: Card[]; exposed: number[]; as_due: boolean }
  | { event: "irregularity noted"; cites: string[]; what: string; says: string }
  | { event: "left table"; cites: string[]; seat: number; player: string; stake: number; found: boolean; missed: number }
  | { event: "looked"; cites: string[]; seat: number; cards: Card[] }
  | { event: "misdeal declared"; cites: string[]; reason: string }
  | { event: "missing cards dealt"; cites: string[]; seat: number; cards: Card[] }
  | { event: "mucked"; cites: string[]; seat: number; surrendered: boolean }
  | { event: "one player left"; cites: string[]; seat: number; walk: boolean }
  | { event: "player bound"; cites: string[]; seat: number; to: "bet" | "raise"; early: boolean }
  | { event: "policy changed"; cites: string[]; policy: string; value: string }
  | { event: "pot won"; cites: string[]; pot: number; shares: Record<number, number>; odd_chips: Record<number, number>; hand: string }
  | { event: "raise barred"; cites: string[]; seat: number; until: "betting round" | "round" | "turn"; bar: string[] }
  | { event: "raised"; cites: string[]; seat: number; to: number; minimum: number; all_in: boolean }
  | { event: "rake taken"; cites: string[]; amount: number; pots: number[]; bases: number[] }
  | { event: "relocated"; cites: string[]; seat: number; player: string; stake: number }
  | { event: "river dealt"; cites: string[]; cards: Card[]; burnt: Card | null; up: boolean }
  | { event: "round ended"; cites: string[]; round: number; button: number; moved: boolean }
  | { event: "round voided"; cites: string[]; reason: string }
  | { event: "ruling carried out"; cites: string[] }
  | { event: "ruling made"; cites: string[]; ruling: string; details: Record<string, unknown>; reason: string; who: string; rank: "player" | "dealer" | "pit supervisor" | "pit manager" | "shift manager" | "house"; on: RuledOn | null }
  | { event: "ruling undone"; cites: string[]; reason: string; who: string; rank: "player" | "dealer" | "pit supervisor" | "pit manager" | "shift manager" | "house" }
  | { event: "sat down"; cites: string[]; seat: number; player: string; stake: number }
  | { event: "seat kept"; cites: string[]; seat: number }
  | { event: "show prompted"; cites: string[]; seat: number }
  | { event: "showdown begun"; cites: string[]; order: number[] }
  | { event: "shown to all"; cites: string[]; seat: number; cards: Card[] }
  | { event: "shuffle given"; cites: string[]; need: number; purpose: string; cards: Card[] }
  | { event: "shuffle needed"; cites: string[]; need: number; purpose: string; cards: Card[] }
  | { event: "stake added"; cites: string[]; seat: number; player: string; amount: number }
  | { event: "stake reduced"; cites: string[]; seat: number; player: string; amount: number }
  | { event: "stopped actions taken back"; cites: string[]; count: number; keeps: boolean; alone: boolean }
  | { event: "straddle declined"; cites: string[]; seat: number }
  | { event: "straddle placed"; cites: string[]; seat: number; to: number; all_in: boolean }
  | { event: "street completed"; cites: string[]; street: "flop" | "river" | "turn"; cards: Card[]; up: boolean }
  | { event: "street dealt again"; cites: string[]; street: "flop" | "river" | "turn"; cards: Card[]; burnt: Card | null }
  | { event: "street put back"; cites: string[]; street: "flop" | "river" | "turn"; cards: Card[]; burnt: Card[] }
  | { event: "surplus put back"; cites: string[]; street: "flop" | "river" | "turn"; cards: Card[] }
  | { event: "table opened"; cites: string[]; table: string; rulebook: string; settings: Record<string, unknown>; policies: Record<string, string> }
  | { event: "timed rake collected"; cites: string[]; seat: number; amount: number }
  | { event: "timed rake due"; cites: string[]; amount: number; seats: number[]; until: string }
  | { event: "turn dealt"; cites: string[]; cards: Card[]; burnt: Card | null; up: boolean }
  | { event: "turn given"; cites: string[]; seat: number }
  | { event: "turn given back"; cites: string[]; seat: number; held: HeldAct[]; stands: boolean; keeps: boolean; nth: number; first: number[] }
  | { event: "turns passed over"; cites: string[]; seats: number[]; by: number; remembered: boolean }
  | { event: "uncalled returned"; cites: string[]; seat: number; amount: number }
  | { event: "wager read"; cites: string[]; seat: number; action: "all in" | "ask again" | "bet" | "call" | "check" | "fold" | "raise"; to: number; back: number; owed: number; why: string }
  | { event: "went absent"; cites: string[]; seat: number; returns: boolean }
  | { event: "went all in"; cites: string[]; seat: number; to: number; kind: "bet" | "call" | "over the call" | "raise" | "under the bet" | "under the call"; price: number; full: number; minimum: number };

export type BankedCommand =
  | { do: "accept notice"; player: string }
  | { do: "add chips"; player: string; chips: number }
  | { do: "check"; box: number }
  | { do: "claim misplaced bet"; box: number; lies: "ante" | "bonus" | "flop" | "progressive" | "river" | "turn"; meant: "ante" | "bonus" | "flop" | "progressive" | "river" | "turn" }
  | { do: "decide"; decision: number; option: string; details?: Record<string, unknown>; reason?: string }
  | { do: "flop bet"; box: number; amount?: number | null }
  | { do: "fold"; box: number }
  | { do: "leave"; player: string }
  | { do: "look"; seat: number }
  | { do: "place ante"; box: number; amount: number; player?: string | null }
  | { do: "place bonus"; box: number; amount: number; player?: string | null }
  | { do: "place progressive"; box: number; amount?: number | null; player?: string | null }
  | { do: "refuse to show"; box: number }
  | { do: "river bet"; box: number; amount?: number | null }
  | { do: "sit"; box: number; player: string; chips?: number | null }
  | { do: "table cards"; box: number; cards?: Card[] }
  | { do: "turn bet"; box: number; amount?: number | null }
  | { do: "withdraw bet"; box: number; bet: "ante" | "bonus" | "progressive" };

export type BankedEvent =
  | { event: "announced"; cites: string[]; call: "opening call" | "closing call" | "warning" | "notice"; says: string; seat: number | null }
  | { event: "ante placed"; cites: string[]; box: number; player: string; amount: number; placed_by: string | null }
  | { event: "award received"; cites: string[]; link: string; box: number; line: string; paid: number; meter_before: number; meter_after: number; registered: number | null }
  | { event: "awards paid again"; cites: string[]; round: number; awards: Record<number, Record<string, number>> }
  | { event: "awards returned"; cites: string[]; round: number; awards: Record<number, Record<string, number>> }
  | { event: "bet made up"; cites: string[]; box: number; bet: "ante" | "bonus" | "flop" | "progressive" | "river" | "turn"; amount: number }
  | { event: "bet returned"; cites: string[]; box: number; bet: "ante" | "bonus" | "flop" | "progressive" | "river" | "turn"; amount: number }
  | { event: "bet withdrawn"; cites: string[]; box: number; bet: "ante" | "bonus" | "flop" | "progressive" | "river" | "turn"; amount: number }
  | { event: "bets called"; cites: string[]; round: number; rulebook: string; version: number; approved_by: string; knowingly: boolean; dealer: string; at: string }
  | { event: "bets closed"; cites: string[]; round: number; dealt_in: number[] }
  | { event: "bonus placed"; cites: string[]; box: number; player: string; amount: number; placed_by: string | null }
  | { event: "box settled"; cites: string[]; box: number; result: "cancelled" | "folded" | "lost" | "no hand" | "not shown" | "stand off" | "void" | "won"; bets: Record<string, Payout>; hand: string; dealer: string; shown: Card[]; bonus_line: string; lines: string[]; instead: string }
  | { event: "boxes blocked"; cites: string[]; boxes: number[] }
  | { event: "came back"; cites: string[]; player: string }
  | { event: "card replaced"; cites: string[]; where: string; position: number; box: number | null; old: Card; new: Card }
  | { event: "cards collected"; cites: string[]; box: number }
  | { event: "cards exchanged"; cites: string[]; boxes: number[]; community: number[]; order: number[]; first_cards: number[]; burns: string[]; dealer: number[] }
  | { event: "cards exposed"; cites: string[]; boxes: Record<number, Card[]>; community: Card[]; dealer: Card[]; burns: Card[] }
  | { event: "cards gone"; cites: string[]; box: number }
  | { event: "cards restored"; cites: string[]; hands: Record<number, Card[]>; board: Card[]; dealer: Card[]; burns: Card[]; drawn: Card[]; back: Card[]; laid: number[]; moves: Record<number, number> }
  | { event: "cards tabled"; cites: string[]; box: number; cards: Card[] }
  | { event: "checked"; cites: string[]; box: number; window: "flop" | "river" | "turn" }
  | { event: "chips added"; cites: string[]; player: string; chips: number }
  | { event: "chips moved"; cites: string[]; box: number; bet: "ante" | "bonus" | "flop" | "progressive" | "river" | "turn"; to: "ante" | "bonus" | "flop" | "progressive" | "river" | "turn" | null; amount: number }
  | { event: "chips reported"; cites: string[]; box: number; player: string; bet: "ante" | "bonus" | "flop" | "progressive" | "river" | "turn"; amount: number }
  | { event: "claim recorded"; cites: string[]; box: number; lines: string[]; cards: Card[] }
  | { event: "community dealt"; cites: string[]; cards: Card[]; burn: Card | null }
  | { event: "continue chosen"; cites: string[]; box: number; restored: boolean; settled: boolean }
  | { event: "dealer dealt"; cites: string[]; cards: Card[]; burn: Card | null }
  | { event: "dealer revealed"; cites: string[]; cards: Card[] }
  | { event: "decision given back"; cites: string[]; box: number; returned: number; bet: "ante" | "bonus" | "flop" | "progressive" | "river" | "turn" | null }
  | { event: "decision needed"; cites: string[]; decision: number; question: string; says: string; options: Choice[]; of: number | "player" | "dealer" | "pit supervisor" | "pit manager" | "shift manager" | "house"; holds: boolean; about: Record<string, unknown>; not_by: string }
  | { event: "decision taken"; cites: string[]; decision: number; question: string; option: string; details: Record<string, unknown>; reason: string; who: string; rank: "player" | "dealer" | "pit supervisor" | "pit manager" | "shift manager" | "house"; entered_for: number | null; cards: string[] }
  | { event: "device failed"; cites: string[]; round: number }
  | { event: "device fault withdrawn"; cites: string[]; round: number }
  | { event: "draw given"; cites: string[]; need: number; purpose: string; picks: number[]; who: string }
  | { event: "draw needed"; cites: string[]; need: number; purpose: string; pick: number; among: number; of: "player" | "dealer" | "pit supervisor" | "pit manager" | "shift manager" | "house" }
  | { event: "extra look found"; cites: string[]; box: number; intentional: boolean; cards: Card[] }
  | { event: "flop bet placed"; cites: string[]; box: number; amount: number; blind: boolean }
  | { event: "flop dealt"; cites: string[]; cards: Card[]; burn: Card | null }
  | { event: "flop revealed"; cites: string[]; cards: Card[] }
  | { event: "folded"; cites: string[]; box: number; deemed: string }
  | { event: "hand cancelled"; cites: string[]; box: number; cause: string; returned: Record<string, number>; already: number; taken_back: number }
  | { event: "handed over"; cites: string[]; player: string; amount: number; paid_out: boolean }
  | { event: "hole cards dealt"; cites: string[]; cards: Card[]; burn: Card | null; order: number[]; dealt: Record<number, string> }
  | { event: "irregularity reported"; cites: string[]; kind: string; effect: string; round: number; boxes: number[]; says: string; by: string }
  | { event: "jackpot closed"; cites: string[]; link: string }
  | { event: "jackpot failed"; cites: string[]; boxes: number[]; link: string | null; registered: number | null }
  | { event: "jackpot hands found"; cites: string[]; boxes: number[] }
  | { event: "jackpot paid"; cites: string[]; box: number; line: string; paid: number; replaces: string }
  | { event: "jackpot reopened"; cites: string[]; link: string }
  | { event: "jackpot repaired"; cites: string[]; link: string | null }
  | { event: "left"; cites: string[]; player: string; chips: number | null }
  | { event: "lines held"; cites: string[]; round: number; lines: HeldLine[] }
  | { event: "lines ruled"; cites: string[]; box: number; lines: string[] }
  | { event: "looked"; cites: string[]; seat: number; cards: Card[] }
  | { event: "notice accepted"; cites: string[]; player: string }
  | { event: "notice displayed"; cites: string[]; says: string }
  | { event: "payment corrected"; cites: string[]; player: string; amount: number; gone: boolean }
  | { event: "policy changed"; cites: string[]; policy: string; value: string }
  | { event: "progressive placed"; cites: string[]; box: number; player: string; amount: number; placed_by: string | null }
  | { event: "river bet placed"; cites: string[]; box: number; amount: number; blind: boolean }
  | { event: "river dealt"; cites: string[]; cards: Card[]; burn: Card | null }
  | { event: "river revealed"; cites: string[]; cards: Card[] }
  | { event: "round concluded"; cites: string[]; round: number }
  | { event: "round goes on"; cites: string[]; why: string }
  | { event: "round voided"; cites: string[]; round: number; cause: string; returned: Record<number, Record<string, number>>; already: Record<number, number>; taken_back: Record<number, number> }
  | { event: "ruling made"; cites: string[]; question: string; remedy: string; reason: string; who: string; box: number | null }
  | { event: "ruling undone"; cites: string[]; reason: string; who: string }
  | { event: "sat down"; cites: string[]; box: number; player: string; chips: number | null }
  | { event: "settled bet returned"; cites: string[]; box: number; bet: "ante" | "bonus" | "flop" | "progressive" | "river" | "turn"; staked: number; won: number; lost: number }
  | { event: "showing refused"; cites: string[]; box: number }
  | { event: "shuffle given"; cites: string[]; need: number; purpose: string; cards: Card[] }
  | { event: "shuffle needed"; cites: string[]; need: number; purpose: string; cards: Card[] }
  | { event: "stakes accepted"; cites: string[]; round: number; stakes: Record<number, number> }
  | { event: "stakes returned"; cites: string[]; round: number; boxes: number[]; unregistered: boolean }
  | { event: "street dealt again"; cites: string[]; old: Card[]; new: Card[]; shown: boolean }
  | { event: "surplus refused"; cites: string[]; box: number; bet: "ante" | "bonus" | "flop" | "progressive" | "river" | "turn"; surplus: number }
  | { event: "table closed"; cites: string[] }
  | { event: "table opened"; cites: string[]; table: string; rulebook: string; settings: Record<string, unknown>; policies: Record<string, string> }
  | { event: "table reopened"; cites: string[] }
  | { event: "turn bet placed"; cites: string[]; box: number; amount: number; blind: boolean }
  | { event: "turn dealt"; cites: string[]; cards: Card[]; burn: Card | null }
  | { event: "turn revealed"; cites: string[]; cards: Card[] }
  | { event: "walked away"; cites: string[]; player: string; decisions_left: number[]; none_left: number[] };

export interface Ask {
  (path: `/api/pit/links/${string}/awards/${number}/witness`, change: WitnessBody): Promise<PitAward>;
  (path: `/api/tables/${string}/rounds/${number}/export/${string}`): Promise<string>;
  (path: `/api/ask/books/${string}/paragraphs/${string}`): Promise<ParagraphPage>;
  (path: `/api/pit/links/${string}/awards/${number}`): Promise<PitAward>;
  (path: `/api/pit/tables/${string}/hold/keep`, change: HoldOf): Promise<PitHeld>;
  (path: `/api/pit/tables/${string}/hold/release`, change: HoldOf): Promise<PitTile>;
  (path: `/api/pit/tables/${string}/hold/take`, change: HoldOf): Promise<PitHeld>;
  (path: `/api/tables/${string}/rounds/${number}/equities`): Promise<Equities>;
  (path: `/api/tables/${string}/rounds/${number}/proofs`): Promise<RoundShuffles>;
  (path: `/api/tables/${string}/rounds/${number}/replay`): Promise<ReplayAnswer>;
  (path: `/api/tables/${string}/rounds/${number}/shuffles`): Promise<RoundShuffles>;
  (path: `/api/cases/${string}/equities/${string}`): Promise<Equities>;
  (path: `/api/cases/${string}/replay/${string}`): Promise<ReplayAnswer>;
  (path: `/api/pit/decisions/${string}/${number}`): Promise<PitDecision>;
  (path: `/api/pit/decisions/${string}/${number}`, change: DecideBody): Promise<PitAnswer>;
  (path: `/api/pit/tables/${string}/confirm`, change: ConfirmBody): Promise<PitAnswer>;
  (path: `/api/pit/tables/${string}/hold`): Promise<PitHeld>;
  (path: `/api/pit/tables/${string}/hold`, change: HoldBody): Promise<PitHeld>;
  (path: `/api/pit/tables/${string}/look`, change: LookBody): Promise<PitLooked>;
  (path: `/api/pit/tables/${string}/pick`, change: PickBody): Promise<PitAnswer>;
  (path: `/api/pit/tables/${string}/preview`, change: PreviewBody): Promise<PitRuling>;
  (path: `/api/pit/tables/${string}/reports`): Promise<PitReports>;
  (path: `/api/rulebooks/${string}/paragraphs/${string}`): Promise<ParagraphDetails>;
  (path: `/api/school/lessons/${string}/answer`, change: SchoolAnswerBody): Promise<SchoolMarked>;
  (path: `/api/school/lessons/${string}/certificate`): Promise<Certificate>;
  (path: `/api/school/lessons/${string}/next`, change: Record<string, never>): Promise<LessonNow>;
  (path: `/api/tables/${string}/rounds/${number}`): Promise<RoundRecalled>;
  (path: `/api/ask/books/${string}`): Promise<BookPage>;
  (path: `/api/ask/case/${string}`): Promise<CaseQuestion>;
  (path: `/api/ask/${string}/abandoned`, change: Record<string, never>): Promise<Entry>;
  (path: `/api/ask/${string}/case`): Promise<string>;
  (path: `/api/ask/${string}/decided`, change: DecidedBody): Promise<Entry>;
  (path: `/api/ask/${string}/notes`, change: NoteBody): Promise<Entry>;
  (path: `/api/disputes/${number}/file`, change: Record<string, never>): Promise<Record<string, unknown>>;
  (path: `/api/disputes/${number}/settle`, change: SettleBody): Promise<DisputeSummary>;
  (path: `/api/links/${string}/commands`, change: GivenCommand): Promise<LinkAnswerMessage>;
  (path: `/api/my-hands/export/${string}`): Promise<string>;
  (path: "/api/office/lists/approvals"): Promise<ApprovalList>;
  (path: "/api/office/lists/corrections"): Promise<Record<number, Proposal>>;
  (path: "/api/office/lists/inventory"): Promise<Trays>;
  (path: "/api/office/lists/links"): Promise<PlaceLine[]>;
  (path: "/api/office/lists/player_reports"): Promise<Record<number, PlayerReport>>;
  (path: "/api/office/lists/players"): Promise<PlayerLine[]>;
  (path: "/api/office/lists/roster"): Promise<RosterEntry[]>;
  (path: "/api/office/lists/rulebooks"): Promise<LinkBook[]>;
  (path: "/api/office/lists/staff"): Promise<StaffLine[]>;
  (path: "/api/office/lists/tables"): Promise<PlaceLine[]>;
  (path: "/api/office/lists/waiting"): Promise<WaitingRooms>;
  (path: "/api/office/reports/copies"): Promise<CopyMark[]>;
  (path: "/api/office/reports/day"): Promise<DayReport>;
  (path: "/api/office/reports/figures"): Promise<DayFigures>;
  (path: "/api/office/reports/jackpot"): Promise<JackpotReport[]>;
  (path: "/api/office/reports/unclaimed"): Promise<Unclaimed[]>;
  (path: `/api/pit/links/${string}`): Promise<PitLinkWork>;
  (path: `/api/pit/tables/${string}`): Promise<PitTile>;
  (path: `/api/school/lessons/${string}`): Promise<LessonNow>;
  (path: `/api/seals/${number}/witnesses`, change: WitnessMark): Promise<MarkKept>;
  (path: `/api/tables/${string}/chat`): Promise<Chat>;
  (path: `/api/tables/${string}/chat`, change: SayBody): Promise<Done>;
  (path: `/api/tables/${string}/commands`, change: GivenCommand): Promise<AnswerMessage>;
  (path: `/api/tables/${string}/first`): Promise<FirstMessages>;
  (path: `/api/tables/${string}/for-player`, change: ForPlayerBody): Promise<AnswerMessage>;
  (path: `/api/tables/${string}/guide`): Promise<Guide>;
  (path: `/api/tables/${string}/player-reports`, change: ReportPlayerBody): Promise<Done>;
  (path: `/api/tables/${string}/rounds`): Promise<RoundsRecalled>;
  (path: `/api/tables/${string}/shuffle`): Promise<ShuffleMessage>;
  (path: `/api/tables/${string}/view`): Promise<ViewMessage>;
  (path: `/api/tables/${string}/wishes`): Promise<WishesNow>;
  (path: `/api/tables/${string}/wishes`, change: WishBody): Promise<WishesNow>;
  (path: "/api/ask/books"): Promise<BookLine[]>;
  (path: "/api/ask/desk"): Promise<DeskHello>;
  (path: "/api/ask/figures"): Promise<Figures>;
  (path: "/api/ask/log"): Promise<LogPage>;
  (path: "/api/ask/log.csv"): Promise<string>;
  (path: "/api/ask/search"): Promise<SearchHits>;
  (path: `/api/ask/${string}`): Promise<Entry>;
  (path: `/api/deal/${string}`): Promise<DealTable>;
  (path: `/api/disputes/${number}`): Promise<DisputeSummary>;
  (path: "/api/guest-code/use", change: CodeBody): Promise<Me>;
  (path: "/api/hands/equities", change: HandsBody): Promise<Equities>;
  (path: "/api/hands/export", change: HandsBody): Promise<string>;
  (path: "/api/hands/replay", change: HandsBody): Promise<HandsAnswer>;
  (path: `/api/links/${string}`): Promise<LinkDetails>;
  (path: "/api/office/acts", change: OfficeAct): Promise<Record<string, unknown>>;
  (path: "/api/office/commands", change: OfficeOrder): Promise<OfficeAnswer>;
  (path: "/api/office/roster"): Promise<RosterPage>;
  (path: "/api/pit/decisions"): Promise<PitDecisions>;
  (path: "/api/reports/tables"): Promise<TableReports>;
  (path: `/api/rulebooks/${string}`): Promise<BookDetails>;
  (path: "/api/school/lessons", change: BeginBody): Promise<LessonNow>;
  (path: "/api/school/trainees"): Promise<Trainees>;
  (path: `/api/tables/${string}`): Promise<TableDetails>;
  (path: `/api/wall/${string}`): Promise<WallAnswer>;
  (path: "/api/ask", change: AskBody): Promise<KeptAnswer>;
  (path: "/api/disputes"): Promise<Disputes>;
  (path: "/api/disputes", change: DisputeBody): Promise<DisputeSummary>;
  (path: "/api/enter", change: EnterBody): Promise<Me>;
  (path: "/api/exit", change: Record<string, never>): Promise<Me>;
  (path: "/api/guest-code", change: Record<string, never>): Promise<GuestCode>;
  (path: "/api/links"): Promise<Links>;
  (path: "/api/lobby"): Promise<Lobby>;
  (path: "/api/login", change: LoginBody): Promise<Me>;
  (path: "/api/me"): Promise<Me>;
  (path: "/api/my-hands"): Promise<MyHands>;
  (path: "/api/office"): Promise<OfficeGlance>;
  (path: "/api/own-limits"): Promise<OwnLimits>;
  (path: "/api/own-limits", change: OwnLimitBody): Promise<OwnLimits>;
  (path: "/api/pit"): Promise<PitFloor>;
  (path: "/api/private-tables", change: PrivateTableBody): Promise<PrivateTable>;
  (path: "/api/refill", change: Record<string, never>): Promise<Me>;
  (path: "/api/rulebooks"): Promise<Books>;
  (path: "/api/school"): Promise<SchoolPage>;
  (path: "/api/seals"): Promise<SealsTold>;
  (path: "/api/staff-door", change: StaffDoorBody): Promise<Me>;
  (path: "/api/statement"): Promise<Statement>;
  (path: "/api/stay-away", change: StayAwayBody): Promise<OwnLimits>;
  (path: "/api/wall"): Promise<WallAnswer>;
  (path: "/health"): Promise<Health>;
}
