"""The cells of a page, found by role and accessible name, through WebDriver."""

import sys
from collections.abc import Callable
from typing import TypeVar

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

T = TypeVar("T")
SECONDS = 60  # a limit for what never comes, as in the other browser tests
CONTROL = Keys.COMMAND if sys.platform == "darwin" else Keys.CONTROL
# WebDriver tells an element's role but cannot search by it: what may have one of these roles.
MAY_BE = {"button": "button", "textbox": "[role=textbox]", "status": "output"}


def wait(driver: WebDriver, condition: Callable[[], T]) -> T:
    """Wait until the condition holds; what it then is."""
    waiting = WebDriverWait(driver, SECONDS, 0.05, [StaleElementReferenceException])
    return waiting.until(lambda _: condition())


class CellOnPage:
    """One cell."""

    def __init__(self, driver: WebDriver, name: str) -> None:
        self.driver = driver
        self.element = driver.find_element(By.CSS_SELECTOR, f"py-cell[name='{name}']")
        self.button("Run")  # there once the page's script has made the cell something that runs

    def by_role(self, role: str, name: str) -> WebElement:
        """The one element of this role whose accessible name begins so, once it is there."""
        (found,) = wait(self.driver, lambda: self._all_by_role(role, name))
        return found

    def _all_by_role(self, role: str, name: str) -> list[WebElement]:
        candidates = self.element.find_elements(By.CSS_SELECTOR, MAY_BE[role])
        shown = [one for one in candidates if one.is_displayed()]  # WebKit tells no others' roles
        of_role = [one for one in shown if one.aria_role == role]
        return [one for one in of_role if one.accessible_name.startswith(name)]

    def button(self, name: str) -> WebElement:
        """Run, Stop, Reset, Copy, or one that a message offers."""
        return self.by_role("button", name)

    @property
    def code(self) -> str:
        """The text that would run."""
        return str(self.element.get_property("code"))

    @property
    def output(self) -> str:
        """All that the output holds."""
        return str(self.by_role("status", "Output of").get_property("textContent"))

    @property
    def status(self) -> str:
        """How the cell says things stand."""
        status = self.element.find_element(By.CLASS_NAME, "status")
        return str(status.get_property("textContent"))

    def expect_state(self, *states: str) -> None:
        """Wait until the cell is in one of these states."""
        wait(self.driver, lambda: self.element.get_attribute("state") in states)

    def run_to_end(self) -> None:
        """Press Run and wait for the end, good or bad."""
        self.press("Run")
        self.expect_state("done", "error")

    def expect_editor_focused(self) -> None:
        """Wait until the keys that follow go into the editor."""
        wait(self.driver, self._editor_is_focused)

    def _editor_is_focused(self) -> bool:
        code = self.by_role("textbox", "Code of")
        return code == self.focused and "cm-content" in (code.get_attribute("class") or "")

    @property
    def focused(self) -> WebElement:
        """The element that has the page's focus."""
        return self.driver.switch_to.active_element

    def tab_to_code(self) -> None:
        """Press Tab on the link before the cell."""
        self.element.find_element(By.XPATH, "preceding::a[1]").send_keys(Keys.TAB)

    def click(self, element: WebElement) -> None:
        """Click on it in the middle of the window: WebKit may scroll it below the page's header."""
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def press(self, name: str) -> None:
        """Press a button."""
        self.click(self.button(name))

    def write(self, line: str) -> None:
        """Replace the whole code by typing one line."""
        self.click(self.by_role("textbox", "Code of"))
        self.expect_editor_focused()
        self.chord(CONTROL, "a")
        self.type(line)
        wait(self.driver, lambda: self.code == line)

    def chord(self, held: str, key: str) -> None:
        """Press a key while another is held."""
        ActionChains(self.driver).key_down(held).send_keys(key).key_up(held).perform()

    def type(self, keys: str) -> None:
        """Press keys wherever the focus is."""
        ActionChains(self.driver).send_keys(keys).perform()
