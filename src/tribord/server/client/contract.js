/**
 * The words that page and boards share, as types. docs/page.md explains them.
 *
 * @typedef {Record<string, any>} View what a seat may know, as the game describes it
 * @typedef {{kind: string, rule: string, fields: Record<string, number>, fr: string, en: string}} GameEvent
 * @typedef {Record<string, any>} Scene plain data: what is drawn
 * @typedef {import("./lit.js").html extends (...a: any) => infer T ? T : never} Template
 * @typedef {import("./vendor/lit-html/lit-html.js").TemplateResult<any> | typeof import("./lit.js").nothing | string} Drawn
 * @typedef {object} Cue what goes with an event
 * @property {string} [sound]
 * @property {number} [depth] of the sound
 * @property {number} [ms] the least time its motion needs; its line may take longer to read
 * @property {boolean} [big] a scene that matters: it lasts two seconds or more
 * @property {(shape: "wide" | "tall") => [number, number]} [focus] where a close-up of a big scene looks
 * @property {boolean} [roll] dice or lots: their player rolls them with a tap or a shake
 *
 * @typedef {{scene: Scene, cue?: Cue}} Step
 *
 * @typedef {object} Desk everything a board may use to draw
 * @property {Scene} scene
 * @property {import("./choice.js").Choice | null} choice what this seat may decide now, narrowed by what was touched
 * @property {number} seat whose view; -1 for the public
 * @property {"wide" | "tall"} shape
 * @property {(seat: number) => string} name the player in a seat
 * @property {(part: string, value: any) => void} pick touch something
 * @property {(part?: string) => void} back take the last touch back, or the touch of a part
 * @property {boolean} [hinted] whether `choice` is a hint or a puzzle's answer: draw it translucent, because the hand isn't there
 * @property {GameEvent | null} [event] what the stage is showing
 * @property {GameEvent[]} [turn] what was shown of the turn that is played, `event` last
 * @property {boolean} [rolling] dice or lots wait for this viewer to roll them
 * @property {() => void} [rush] show the rest of the match without waiting
 * @property {(part: string, value: any) => void} why answer a tap on something that can't be chosen: the reason and its rule
 * @property {(seat: number) => void} [about] show what everyone may know about a player
 * @property {{seat: number, name: string, parts: Record<string, any>, events: GameEvent[]} | null} [considered] what another player has in mind, in a cooperative game
 * @property {{key: number, name: string, sort: string, value: any}[]} [pointed] what people point at
 * @property {(sort: string, value: any) => void} [point] point at something; absent if nobody can
 * @property {{events: GameEvent[], scenes: Scene[], fate: GameEvent[]} | null} preview what the action that `toPreview` named would lead to; `fate`: if it loses for certain, how that can end
 * @property {() => void} [talk] open the chat, if people can chat
 * @property {Update[]} [log] what happened at the table, talk and offers too, as far as this seat may know
 *
 * @typedef {object} Board what a module `games/<game>/client/board.js` exports
 * @property {{wide: [number, number], tall: [number, number]}} size of the drawing, for wide and tall screens
 * @property {(view: View, seat: number) => Scene} scene
 * @property {(scene: Scene, event: GameEvent) => Step} step the scene after an event, from its public fields alone
 * @property {(scene: Scene) => Scene} [eve] of the first scene of a match: the scene before the events that led to it
 * @property {string[]} [brief] kinds of events that need no words: they're shown without a line
 * @property {string[]} [opens] kinds of events that begin a turn of their own within one update: a rest comes before
 * @property {(desk: Desk) => Drawn} draw svg
 * @property {(desk: Desk) => Drawn} hand the controls under the thumb, html
 * @property {(choice: import("./choice.js").Choice, scene: Scene, preview: Desk["preview"]) => string} [ask] what the person must do, in a line
 * @property {(choice: import("./choice.js").Choice, scene: Scene, preview: Desk["preview"]) => string} [verb] what the button says
 * @property {(choice: import("./choice.js").Choice, scene: Scene, preview: Desk["preview"]) => string} [rule] the number of the rule that is cited
 * @property {(desk: Desk) => string} [warn] what to say before someone commits to a move that loses for certain
 * @property {(sort: string, value: any) => string} [thing] the words for something that people can point at
 * @property {(choice: import("./choice.js").Choice) => import("./choice.js").Choice} [back] a step back, where one touch settles two parts
 * @property {(choice: import("./choice.js").Choice) => number | null} [toPreview] the action to preview
 * @property {(view: View, seat: number) => {label: string, value: string | number}[]} [standing] what everyone may know about a player: cards and pirates left, points so far
 * @property {(view: View, seat: number) => boolean} [out] whether a player is out of the match and looks on
 * @property {(view: View, seat: number) => string} [crew] the colour of a seat's crew, "" without one; left out, the one in `view.crews`
 * @property {(view: View, name: (seat: number) => Drawn) => Drawn} [sheet] the score sheet, html; `name` is drawn too, and its row may stand out
 * @property {(desk: Desk, parley: Parley) => Drawn} [offer] a form for a typed offer, in the talk, html
 * @property {(offers: MadeOffer[], name: (seat: number) => string) => Drawn} [kept] the outcome of the offers, under the score sheet, html
 *
 * @typedef {object} Parley
 * @property {{guest: number, nickname: string}[]} guests who else is at the table, for private talk
 * @property {(offer: Record<string, any>, to?: number[]) => Promise<boolean>} make an offer to everyone, or to some guests
 * @typedef {{seat: number, offer: Record<string, any>, to: number[] | null, version: number, kept: any}} MadeOffer
 *
 * @typedef {{parts: Record<string, any>, fr: string, en: string}} ActionCard
 * @typedef {{seat: number, guest: number | null, rank: string | null, ready: boolean, name: string}} Seat `name`: the player
 * @typedef {{scores: number[], winners: number[], reason: string}} Outcome
 * @typedef {object} MatchInfo
 * @property {number} version
 * @property {number[]} to_act
 * @property {Record<string, View>} views
 * @property {Record<string, number[]>} legal
 * @property {Record<string, number>} deadlines
 * @property {{by: number, place: number, agreed: number[]} | null} undo
 * @property {Outcome | null} outcome
 * @property {number | null} [guide] in a guided match: how many of its decisions the learner has taken; null: it was left
 * @property {number[]} [private] if you hold several seats: those that must decide in private
 * @property {string} [seed] when the match is over: what the dice followed from
 * @property {string} [digest] when the match is over: of everything the match file says
 * @property {MadeOffer[]} [offers] when the match is over: with their outcomes
 * @typedef {object} TableInfo
 * @property {string} id
 * @property {string} code
 * @property {string} game
 * @property {number} players
 * @property {boolean} public
 * @property {boolean} hints whether players may ask for hints
 * @property {Record<string, any>} options
 * @property {string | null} guide the guided match that is played
 * @property {{original: string, place: number, redealt: boolean} | null} branch the match goes on from a moment of another
 * @property {"open" | "playing" | "over"} status
 * @property {string} commitment the hash of the seed, shown from the start
 * @property {(string | null)[]} contributions by seat, once the match has begun: what players added to the dice
 * @property {number[]} revealing once the match is started: guests who must reveal their digits first
 * @property {string | null} rematch
 * @property {string | null} rematch_commitment the hash of the rematch's seed
 * @property {{per: string, seconds: number, rank: string} | null} clock
 * @property {{guest: number, nickname: string, commitment: string | null, muted: boolean}[]} guests
 * @property {Seat[]} seats
 * @typedef {{kind: string, at: number, by?: number | null, events?: GameEvent[], said?: any, place?: number, undone?: number, heard?: number}} Update
 *   `place`: of a decision, in the journal; `undone`: those from there on were taken back; `heard`: when we heard it live
 * @typedef {{seat: number | null, action?: number, chance?: string, events: GameEvent[], to_act: number[], view: View, words?: string}} Position
 * @typedef {{place: number, events: GameEvent[], effects: Effect[]}} Moment a turn that decided the match
 * @typedef {{seat: number | null, event: GameEvent, before: number, after: number}} Effect for a seat, or for everyone, with its chance of winning
 * @typedef {{code: string, fr: string, en: string, rule?: string, seconds?: number}} Refusal
 *
 * @typedef {{name: string, rule: string, kind: string, default: any, values: string[], fr: string, en: string}} Option
 * @typedef {{pitch: {fr: string, en: string}, minutes: [number, number], age: number, variants?: Variant[]}} About
 * @typedef {object} Variant one of several games in a box
 * @property {string} id
 * @property {Record<string, any>} options by which it is played
 * @property {[number, number]} players
 * @property {[number, number]} minutes
 * @property {number} age
 * @property {{title: string, text: string}} fr
 * @property {{title: string, text: string}} en
 * @typedef {object} GameCard
 * @property {string} id
 * @property {string} title
 * @property {[number, number]} players
 * @property {boolean} cooperative
 * @property {boolean} board
 * @property {boolean} cover
 * @property {boolean} howto
 * @property {{id: string, options: Record<string, any>}[]} guides the matches that teach it
 * @property {number} puzzles how many it comes with
 * @property {About | null} about
 * @property {Option[]} options
 * @typedef {object} Passage a few decisions of a match, as in the book
 * @property {number} seat whose view
 * @property {Record<string, any>} options of the match
 * @property {View} before
 * @property {GameEvent[]} events
 * @property {View} after
 * @property {string} [rule] of an example: the rule it is about
 * @property {boolean} [hand] whether the hand is shown too
 * @property {any} fr an example's caption, or a step's title and text
 * @property {any} en
 * @typedef {{title: string, text: string[], rules: string[]}} Section of a rulebook; what the rules say is in `rules`
 *
 * @typedef {{games: GameCard[], ranks: string[], names: string[], phrases: Record<string, {fr: string, en: string, when: "" | "out" | "planning"}>, address: string}} House
 */
export {};
