"""The pages whose cells compute for long, in Firefox and WebKit: the model fetched, one learned."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

from site_src.figures.learn.trace import STEPS
from tests.engines.cells import CellOnPage, wait
from tests.server import StaticServer


@pytest.mark.usefixtures("prepared")
def test_the_real_model_comes_and_prints_what_the_page_printed(
    driver: WebDriver, site: StaticServer
) -> None:
    driver.get(f"{site.address}real-model/")
    sink = CellOnPage(driver, "sink")
    sink.run_to_end()
    assert sink.element.get_attribute("matches") == "yes"
    viewed = "live-figure[name=real_heads][origin=cell]"
    wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, viewed))
    driver.get("about:blank")


def test_the_training_plays_and_pauses(driver: WebDriver, site: StaticServer) -> None:
    driver.get(f"{site.address}learn/")
    figure = driver.find_element(By.CSS_SELECTOR, "live-figure[name=learn]")
    driver.execute_script("arguments[0].scrollIntoView()", figure)  # it comes alive in view

    def button(name: str) -> list[WebElement]:
        buttons = figure.find_elements(By.TAG_NAME, "button")
        return [one for one in buttons if one.accessible_name == name]

    def press(name: str) -> None:
        wait(driver, lambda: button(name))[0].click()

    how = figure.find_element(By.CLASS_NAME, "how")
    last = f"Step {STEPS} of {STEPS}"
    press("Train")
    wait(driver, lambda: last not in how.text)
    press("Pause")
    wait(driver, lambda: "Paused." in figure.text)
    assert last not in how.text
    driver.get("about:blank")
