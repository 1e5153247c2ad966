"""Walk the Plank in a real Chromium: whole matches by touch and by keyboard, dragging cards, previews, axe."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.moment import MOMENTS, find
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, press_until, sit_down, take_place, version_of
from tests.server.launcher import ServerProcess

GAME = "walk-the-plank"
BLOODTHIRSTY = ("drag", "retract", "charge", "shove-anyone", "run", "shove-left", "shove-right", "extend", "pull")
DECISION = ".w-card:not([aria-disabled='true']), .w-aim, .w-done, .result"
ROUNDS = 60


def moved_on(page: Page, version: str, what: str) -> None:
    """Wait until a decision has arrived: others lay cards too meanwhile, so a new version alone proves nothing."""
    if what == "lay":
        expect(page.locator("button.w-slot[data-place]")).to_have_count(0)
    else:
        page.locator(f".table-screen:not([data-version='{version}'])").wait_for()


def phase(page: Page) -> str:
    """Wait until there is something to do: "lay", "aim", "out" or "over"."""
    for _look in range(20):  # the match can end between two looks if you're out
        page.locator(DECISION).first.wait_for()
        for selector, named in zip(DECISION.split(", "), ("lay", "aim", "out", "over"), strict=True):
            if page.locator(selector).count():
                return named
    raise AssertionError("nothing stays on the screen for long enough to be decided")


def wanted(page: Page) -> list[str]:
    """The three deadliest cards of the hand: a match shouldn't take all day."""
    hand = [card.get_attribute("data-card") for card in page.locator(".w-card:not([aria-disabled='true'])").all()]
    return [card for card in BLOODTHIRSTY if card in hand][:3]


def survivors(page: Page) -> int:
    """How many pirates live, by the score sheet."""
    return sum(int(cell.split()[-1]) for cell in page.locator(".w-sheet .sum").all_inner_texts())


def watch_to_the_end(page: Page) -> None:
    """Players who are out watch the others; the match ends with a score sheet that agrees with the drawing."""
    page.locator(".result").wait_for(timeout=30_000)
    expect(page.locator(".w-sheet tbody tr")).to_have_count(3)
    assert survivors(page) == page.locator(".w-piece.w-stands").count()


def test_a_whole_match_by_touch_on_a_phone(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        sit_down(page, server.url, GAME, players=3)
        expect(page.locator(".w-piece.w-stands")).to_have_count(9)
        done = set()
        for _decision in range(4 * ROUNDS):
            what = phase(page)
            if what in ("over", "out"):
                break
            version = version_of(page)
            if what == "lay":
                for card in wanted(page):
                    page.locator(f".w-card[data-card='{card}']").tap()
                expect(page.locator("button.w-slot[data-place]")).to_have_count(3)
            elif "drawing" not in done and page.locator(".w-target").count():
                page.locator(".w-target circle").last.tap(force=True)  # circles of a crew may overlap
                what = "drawing"
            else:
                page.locator(".w-aim").last.tap()
            done.add(what)
            page.locator(".act .primary:not([disabled])").tap()
            moved_on(page, version, what)
        assert done == {"lay", "drawing", "aim"}
        watch_to_the_end(page)


def test_a_whole_match_by_keyboard_alone(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sit_down(page, server.url, GAME, players=3)
        swapped = False
        for decision in range(4 * ROUNDS):
            what = phase(page)
            if what in ("over", "out"):
                break
            version = version_of(page)
            if what == "lay":
                for card in wanted(page):
                    press_until(page, f".w-card[data-card='{card}']")
                    page.keyboard.press("Enter")
                if not swapped:  # the arrows change the order
                    press_until(page, "button.w-slot[data-place='0']")
                    first = page.locator("button.w-slot[data-place] span").first.inner_text()
                    page.keyboard.press("ArrowRight")
                    expect(page.locator("button.w-slot[data-place] span").nth(1)).to_have_text(first)
                    expect(page.locator("button.w-slot[data-place]").nth(1)).to_be_focused()
                    swapped = True
            else:
                press_until(page, ".w-aim" if decision % 2 else ".w-target")
                page.keyboard.press(" ")
            press_until(page, ".act .primary:not([disabled])")
            page.keyboard.press("Enter")
            moved_on(page, version, what)
        assert swapped
        watch_to_the_end(page)


def carry(page: Page, source: str, target: str) -> None:
    """Drag with the mouse from the middle of one thing to the middle of another."""
    ends = [page.locator(selector).bounding_box() for selector in (source, target)]
    (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in ends if box)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
    page.mouse.move(to_x, to_y)
    page.mouse.up()


def expect_laid(page: Page, *names: str) -> None:
    """These lie in the three places."""
    expect(page.locator(".w-slots span")).to_have_text(names)


def test_cards_are_dragged_swapped_and_taken_back(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sit_down(page, server.url, GAME, players=3)
        phase(page)
        carry(page, "[data-card='run']", "[data-place='2']")
        expect_laid(page, "empty", "empty", "Run")
        carry(page, "[data-card='drag']", "[data-place='0']")
        expect_laid(page, "Drag to Sea", "empty", "Run")
        carry(page, "[data-place='2']", "[data-place='0']")
        expect_laid(page, "Run", "empty", "Drag to Sea")
        carry(page, "[data-place='0']", "h1")
        expect_laid(page, "empty", "empty", "Drag to Sea")
        page.locator("[data-card='drag']").click()
        expect_laid(page, "empty", "empty", "empty")
        expect(page.locator(".act .primary")).to_be_disabled()


def test_what_a_card_would_do_is_seen_before_one_commits(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        sit_down(page, server.url, GAME, players=3)
        phase(page)
        for card in ("run", "extend", "pull"):
            page.locator(f".w-card[data-card='{card}']").tap()
        page.locator(".act .primary").tap()
        moved_on(page, version_of(page), "lay")
        assert phase(page) == "aim"
        forced = page.locator(".w-aim").count() == 1  # then it's visible at once, whatever you touch
        if not forced:
            assert page.locator(".w-arrow").count() == 0
            page.locator(".w-aim").last.tap()
        expect(page.locator(".w-aim[aria-pressed='true']")).to_have_count(1)
        expect(page.locator(".w-arrow")).to_have_count(1)  # the runner, and nobody who only makes room
        version = version_of(page)
        if not forced:
            page.get_by_role("button", name="Retour").tap()
            expect(page.locator(".w-arrow")).to_have_count(0)
        assert version_of(page) == version


def test_the_last_card_says_what_it_does_before_it_is_laid(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en") as page:
        sit_down(page, server.url, GAME, players=3)
        phase(page)
        for card, effect in (("run", "either way"), ("extend", "one more tile"), ("charge", "No effect as card 1")):
            page.locator(f".w-card[data-card='{card}']").tap()
            expect(page.locator("#must")).to_contain_text(effect)
        expect(page.locator(".act .primary")).to_be_enabled()


def lay(page: Page, *cards: str) -> None:
    """Place these, and wait until one of our cards needs a target."""
    phase(page)
    for card in cards:
        page.locator(f".w-card[data-card='{card}']").click()
    page.locator(".act .primary").click()
    moved_on(page, version_of(page), "lay")
    assert phase(page) == "aim"


def test_a_refused_tap_answers_with_the_reason_and_the_rule(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en") as page:
        notice = page.locator(".notice")
        last_tile = page.locator("[data-space='3']:not(.picture *)")  # on the board; the recap draws one too
        for _match in range(10):
            sit_down(page, server.url, GAME, players=3)
            last_tile.tap(force=True)  # while cards are to be laid
            expect(notice).to_contain_text("choose your three cards first")
            expect(notice).to_contain_text("W4")
            lay(page, "run", "extend", "pull")
            if last_tile.count():  # otherwise a bot has retracted the plank before our turn
                break
        last_tile.dispatch_event("click")  # nobody has come that far
        expect(notice).to_contain_text("You have no pirate on tile 3")
        expect(notice).to_contain_text("W15")
        page.locator(".w-bystander[data-at='0']:not(.picture *) circle").first.dispatch_event(
            "click"
        )  # someone else's: this card has no victim
        expect(notice).to_contain_text("It’s the turn of “Run”")
        page.locator("button.w-fixed").last.tap(force=True)  # a card that lies already
        expect(notice).to_contain_text("Your cards are down for this round")


def test_a_card_aside_keeps_its_name_and_says_why_it_rests(server: ServerProcess, browser: Browser) -> None:
    table = find(server.url, next(moment for moment in MOMENTS if moment.name == "laying"))
    with aboard(browser, PHONE, "en") as page:
        take_place(page, server.url, table, GAME)
        phase(page)
        aside = page.locator(".w-card.w-away").first
        name = aside.locator("span").inner_text().replace("\u00a0", " ")
        expect(aside.locator("i")).to_have_text("aside")
        aside.tap(force=True)
        expect(page.locator(".notice")).to_contain_text(f"“{name}” is a skull card and stays aside this round")
        page.locator(".notice button", has_text="W7").tap()
        expect(page.locator("#drawer")).to_be_visible()


def test_the_pirate_that_was_touched_is_the_one_that_goes(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en") as page:
        sit_down(page, server.url, GAME, players=3)
        lay(page, "run", "extend", "pull")
        rings = page.locator("[data-target='blue 0'] circle")
        keys = [ring.get_attribute("data-pirate") for ring in rings.all()]
        assert len(keys) > 1
        for key in keys:
            page.locator(f"[data-target='blue 0'] [data-pirate='{key}']").dispatch_event("click")
            expect(page.locator(".w-piece.w-fresh")).to_have_count(1)
            expect(page.locator(f".w-piece.w-fresh[data-key='{key}']")).to_have_count(1)


@pytest.mark.parametrize("size", [PHONE, (390, 844)])
def test_the_board_fills_the_phone_above_the_hand(
    server: ServerProcess, browser: Browser, size: tuple[int, int]
) -> None:
    """No wasted space: the drawing is as wide as the phone, and the hand begins where it ends."""
    with aboard(browser, size, speed=1) as page:
        sit_down(page, server.url, GAME, players=5)
        page.get_by_role("button", name="Tout passer").click()
        phase(page)
        height, gap, idle, hidden = page.evaluate(FILLED)
        assert height >= 0.26 * size[1] and gap <= 1 and idle <= 24 and hidden <= 1, (height, gap, idle, hidden)
        for card in ("extend", "run", "pull"):
            page.locator(f".w-card[data-card='{card}']").click()
        page.locator(".act .primary").click()
        page.locator(".must.narrated").wait_for()  # now we only watch, and the sky comes back
        assert page.evaluate(FILLED)[0] > height


# The height of the board, the empty space between it and the hand and below the button, and how much must be scrolled.
FILLED = """() => {
  const [board, hand, act, tabs] = [".scene-area", ".decision", ".act", ".tabs"]
    .map((selector) => document.querySelector(selector).getBoundingClientRect());
  const hidden = document.documentElement.scrollHeight - innerHeight;
  return [board.height, hand.top - board.bottom, tabs.top - act.bottom, hidden];
}"""

STICKS_OUT = """() => {
  const box = (element) => element.getBoundingClientRect();
  const within = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
    && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const wrong = [];
  const medal = box(document.querySelector(".w-medal"));
  for (const panel of document.querySelectorAll(".w-panel")) {
    const plaque = box(panel.querySelector(".w-plaque"));
    for (const part of panel.querySelectorAll(".w-who, .w-laid, .w-aside, .w-one")) {
      const named = `${panel.dataset.crew} ${part.getAttribute("class")}`;
      if (!within(box(part), plaque) && !part.matches(".w-one")) wrong.push(`${named} leaves its panel`);
      if (!apart(box(part), medal)) wrong.push(`${named} is hidden by the Favour`);
    }
  }
  for (const card of document.querySelectorAll(".w-card")) {
    const words = document.createRange();
    words.selectNodeContents(card.querySelector("span"));
    if (!within(words.getBoundingClientRect(), box(card))) wrong.push(`${card.dataset.card}: its name leaves the card`);
  }
  return wrong;
}"""


@pytest.mark.parametrize("size", [PHONE, (320, 640), LAPTOP])
def test_nothing_sticks_out_of_panels_and_cards(server: ServerProcess, browser: Browser, size: tuple[int, int]) -> None:
    """Five crews with cards laid and cards aside: the most there can be."""
    table = find(server.url, next(moment for moment in MOMENTS if moment.name == "laying"))
    for language in ("fr", "en"):
        with aboard(browser, size, language) as page:
            take_place(page, server.url, table, GAME)
            phase(page)
            expect(page.locator(".w-panel")).to_have_count(5)
            assert page.evaluate(STICKS_OUT) == []


def test_axe_finds_nothing(server: ServerProcess, browser: Browser) -> None:
    found: dict[str, list[str]] = {}
    with aboard(browser, PHONE) as page:
        sit_down(page, server.url, GAME, players=5)
        phase(page)
        found["hand"] = axe(page)
        for card in ("run", "shove-anyone", "drag"):
            page.locator(f".w-card[data-card='{card}']").tap()
        found["laid"] = axe(page)
        page.locator(".act .primary").tap()
        moved_on(page, version_of(page), "lay")
        assert phase(page) == "aim"
        found["aiming"] = axe(page)
        page.locator(".w-aim").last.tap()
        found["aimed"] = axe(page)
    assert not any(found.values()), {screen: wrong for screen, wrong in found.items() if wrong}
