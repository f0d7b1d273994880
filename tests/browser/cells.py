"""The cells of a page as a reader finds them: by name and by role."""

from playwright.sync_api import Locator, Page, expect

# Every text that a screen reader is given to speak.
LISTENING = """() => {
    window.spoken = [];
    const note = (changes) => changes.forEach(({target}) => {
        const region = (target.closest ? target : target.parentElement)?.closest("[role=status]");
        if (region && region.ariaLive !== "off") window.spoken.push(region.textContent);
    });
    new MutationObserver(note).observe(document.querySelector("article"),
        {subtree: true, childList: true, characterData: true});
}"""


class CellOnPage:
    """One cell."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.element = page.locator(f"py-cell[name='{name}']")
        self.output = self.element.locator("output")
        self.code = self.element.get_by_role("textbox", name="Code of")
        self.status = self.element.locator(".status")

    def button(self, name: str) -> Locator:
        """Run, Stop, Reset, Copy, or one that a message offers."""
        return self.element.get_by_role("button", name=name)

    def run(self) -> None:
        """Press Run."""
        self.button("Run").click()

    def expect_state(self, *states: str) -> None:
        """Wait until the cell is in one of these states."""
        self.page.wait_for_function(
            "([name, states]) => states.includes("
            "document.querySelector(`py-cell[name='${name}']`)?.getAttribute('state'))",
            arg=[self.name, list(states)],
        )

    def run_to_end(self) -> None:
        """Press Run and wait for the end, good or bad."""
        self.run()
        self.expect_state("done", "error")

    def expect_matches(self, verdict: str | None) -> None:
        """Whether the last run equalled the printed output; None: there is nothing to say."""
        if verdict is None:
            expect(self.element).not_to_have_attribute("matches", "yes")
            expect(self.element).not_to_have_attribute("matches", "no")
        else:
            expect(self.element).to_have_attribute("matches", verdict)

    def write(self, code: str) -> None:
        """Replace the whole code by typing."""
        self.code.click()
        editor = self.element.locator(".cm-content")
        expect(editor).to_be_focused()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(code)
        self.page.wait_for_function(
            "([name, code]) => document.querySelector(`py-cell[name='${name}']`)?.code === code",
            arg=[self.name, code],
        )

    def edit(self, old: str, new: str) -> None:
        """Change a part of the code."""
        code = str(self.element.evaluate("cell => cell.code"))
        assert old in code
        self.write(code.replace(old, new))


def names(page: Page) -> list[str]:
    """The cells of a page in their order."""
    cells = page.locator("py-cell")
    return [str(cell.get_attribute("name")) for cell in cells.all()]


def expect_ready(page: Page, pythons: int) -> None:
    """Wait until so many Pythons are ready.

    Each worker holds a lock for life, which the page asks for as soon as that Python is ready.
    """
    page.evaluate(
        """async (wanted) => {
            const ready = async () => {
                const { pending } = await navigator.locks.query();
                return pending.filter(({ name }) => name.startsWith("python")).length;
            };
            const end = performance.now() + 60_000;
            while ((await ready()) !== wanted) {
                if (performance.now() > end) throw new Error(`not ${wanted} ready`);
                await new Promise((resolve) => setTimeout(resolve, 20));
            }
        }""",
        pythons,
    )
