// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "./Owned.sol";

contract Vault is Owned {
    event Stored(address indexed from, uint256 amount);

    mapping(address => uint256) private amounts;

    struct Deposit {
        uint256 amount;
        uint64 time;
    }

    enum State { Open, Closed }

    function storeAmount(uint256 amount) external onlyOwner {
        amounts[msg.sender] = addSafely(amounts[msg.sender], amount);
        emit Stored(msg.sender, amount);
    }

    function addSafely(uint256 a, uint256 b) internal pure returns (uint256) {
        return a + b;
    }
}
