"""The figures of a page as a reader finds them: by name and by role."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from site_src.figures.live import trace_module


class FigureOnPage:
    """One figure."""

    def __init__(self, page: Page, name: str = "calculation") -> None:
        self.page = page
        self.name = name
        self.element = page.locator(f"live-figure[name={name}]")
        self.current = self.element.locator("[data-current]")
        self.how = self.element.locator(".how")
        self.message = self.element.locator(".figure-message")
        self.origin = self.element.locator(".origin")

    def ready(self) -> None:
        """Wait until it answers."""
        expect(self.element).to_have_attribute("state", "ready", timeout=60_000)

    def button(self, name: str) -> Locator:
        """Back, Next, Add a word, …"""
        return self.element.get_by_role("button", name=name, exact=True)

    def go_to(self, step: str) -> None:
        """Press Next until the step is shown."""
        while self.current.get_attribute("data-step") != step:
            self.button("Next").click()

    def matrix(self, name: str) -> Locator:
        """A matrix in the step that is shown."""
        return self.current.locator(f"table[data-name='{name}']")

    def number(self, label: str) -> Locator:
        """A number of the step that is shown, by its row and column."""
        return self.current.locator(f"td [aria-label^='{label}']")

    def drawn(self) -> dict[str, list[list[str]]]:
        """All numbers of all steps, by matrix, as the page has them."""
        found: dict[str, list[list[str]]] = self.element.evaluate(
            """figure => Object.fromEntries([...figure.querySelectorAll("table")].map((table) => [
                table.dataset.name,
                [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1).map((cell) =>
                    cell.querySelector("input")?.value ?? cell.textContent)),
            ]))"""
        )
        return found

    def expect_numbers(self, inputs: Any) -> None:
        """Every number drawn equals the trace of these inputs, in CPython."""
        self.ready()
        for matrix in trace_module(self.name).trace(inputs)["matrices"]:
            shown = matrix["shown"]
            if matrix["editable"]:
                shown = [[f"{value:g}" for value in row] for row in matrix["values"]]
            assert self.drawn()[matrix["name"]] == shown, matrix["name"]
