"""The real model in Firefox and WebKit."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver

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
